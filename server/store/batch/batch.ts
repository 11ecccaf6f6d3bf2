import type { BulkRead, BulkWrite } from './bulk.ts'

export type Row = Readonly<Record<string, string | number | null>>

/**
 * One transaction: the reads, a decision made without waiting for anything, the writes it calls for, the
 * commit. When it has resolved, what was decided is on disk.
 */
export type RunBatch = <T>(
  reads: readonly BulkRead[],
  decide: (found: readonly (readonly Row[])[]) => { writes: readonly BulkWrite[]; result: T },
) => Promise<T>
