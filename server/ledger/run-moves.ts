// A batch of moves as one decision, which a thread that has the data can carry out alone.

import type { Row } from '../store/batch/batch.ts'
import type { BulkRead, BulkWrite } from '../store/batch/bulk.ts'
import { readsOf, stateOf, writesOf } from './batch.ts'
import { decideMoves } from './decide-moves.ts'
import type { Move, Outcome } from './moves.ts'

export const thread = new URL('./moves-thread.ts', import.meta.url)

export interface MovesToRun {
  readonly moves: readonly Move[]
  readonly nodeId: string
  /** Seconds since 1970. */
  readonly now: number
}

export function reads({ moves }: MovesToRun): readonly BulkRead[] {
  return readsOf(moves)
}

export function decide(
  found: readonly (readonly Row[])[],
  { moves, nodeId, now }: MovesToRun,
): { writes: readonly BulkWrite[]; result: readonly Outcome[] } {
  const decided = decideMoves(stateOf(found, moves), moves, now)
  return { writes: writesOf(decided, nodeId, now), result: decided.outcomes }
}
