import type { Table } from '../rig/print-table.ts'
import { measureFrames } from './measure-frames.ts'
import { measureMemory } from './measure-memory.ts'

/** What the stream of each type costs, beside one that passes as it is. */
export const providersParts: Record<string, () => Promise<Table>> = {
  frames: measureFrames,
  memory: measureMemory,
}
