import type { BulkRead, BulkWrite } from './bulk.ts'

export type Row = Readonly<Record<string, string | number | null>>

/** What a batch looks at, and what follows from it: functions of what they are given and of nothing else. */
export interface Decision<Argument, Result> {
  /** The file of a thread that knows this decision, where the database is one of our threads. */
  readonly thread: URL
  reads(argument: Argument): readonly BulkRead[]
  decide(
    found: readonly (readonly Row[])[],
    argument: Argument,
  ): { readonly writes: readonly BulkWrite[]; readonly result: Result }
}

/**
 * One transaction: the reads, a decision made without waiting for anything, the writes it calls for, the
 * commit. When it has resolved, what was decided is on disk. Argument and result are plain data; the argument is
 * asked for as late as can be.
 */
export type RunBatch = <Argument, Result>(
  decision: Decision<Argument, Result>,
  argument: () => Argument,
) => Promise<Result>
