import type { TraceContext } from './trace-context.ts'

/** Which calls leave spans. */
export interface Sampling {
  /** Of those that the caller has not decided on; 1 for all of them. */
  readonly ratio: number
  /** Whether callers who send a trace decide for theirs. */
  readonly byParent: boolean
}

/** The end of a trace's id is random whoever made it; of more digits a number would not be exact. */
const RANDOM_DIGITS = 13
const BELOW = 16 ** RANDOM_DIGITS

/** All spans of a trace are decided on alike, wherever that is done, since only its id counts. */
export function isSampled({ ratio, byParent }: Sampling, traceId: string, parent?: TraceContext): boolean {
  if (byParent && parent) return parent.isSampled
  return Number.parseInt(traceId.slice(-RANDOM_DIGITS), 16) >= (1 - ratio) * BELOW
}
