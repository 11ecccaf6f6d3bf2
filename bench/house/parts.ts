import type { Table } from '../rig/print-table.ts'
import { measureColdStart } from './cold-start.ts'
import { measureConsoleBytes } from './console-bytes.ts'
import { measureIdleMemory } from './idle-memory.ts'
import { measureStatus } from './status-load.ts'
import { measureStreamedUpdates } from './streamed-updates.ts'

/** What the house itself costs before any model is called. */
export const houseParts: Record<string, () => Promise<Table>> = {
  cold: measureColdStart,
  memory: measureIdleMemory,
  status: measureStatus,
  console: measureConsoleBytes,
  playground: measureStreamedUpdates,
}
