import type { JsonObject } from '../../dialects/json.ts'
import { ownWords } from '../../dialects/own-words.ts'
import type { FinishReason, Problem } from '../../dialects/spec.ts'

const reasons = new Map<unknown, FinishReason>([
  ['MAX_TOKENS', 'length'],
  ['TOOL_CALL', 'tools'],
  ['ERROR_TOXIC', 'filtered'],
])

/** A stop string is not named, so it ends like any other answer. */
export function mapFinishReason(reason: unknown): FinishReason {
  return reasons.get(reason) ?? 'stop'
}

/** An answer that broke off says so only in its reason. */
export function readFailure({ finish_reason: reason }: JsonObject): Problem | undefined {
  if (reason === 'ERROR') return { status: 502, ...ownWords('upstream.unsaid'), code: 'ERROR' }
  if (reason === 'TIMEOUT') return { status: 504, ...ownWords('relay.upstream-slow'), code: 'TIMEOUT' }
  return undefined
}
