import type { Table } from '../rig/print-table.ts'
import { measureColdStart } from './cold-start.ts'
import { measureIdleMemory } from './idle-memory.ts'
import { measureStatus } from './status-load.ts'

/** What the house itself costs before any model is called. */
export const houseParts: Record<string, () => Promise<Table>> = {
  cold: measureColdStart,
  memory: measureIdleMemory,
  status: measureStatus,
}
