import type { Finish, FinishReason } from '../spec.ts'

const read = new Map<string, FinishReason>([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  // Its token, without which nothing goes on, cannot be carried.
  ['CONTINUATION', 'length'],
  ['SAFETY', 'filtered'],
  ['RECITATION', 'filtered'],
  ['LANGUAGE', 'filtered'],
  ['OTHER', 'filtered'],
  ['BLOCKLIST', 'filtered'],
  ['PROHIBITED_CONTENT', 'filtered'],
  ['SPII', 'filtered'],
  ['IMAGE_SAFETY', 'filtered'],
  ['IMAGE_PROHIBITED_CONTENT', 'filtered'],
  ['IMAGE_RECITATION', 'filtered'],
  ['IMAGE_OTHER', 'filtered'],
  ['NO_IMAGE', 'filtered'],
  ['MALFORMED_FUNCTION_CALL', 'broken-call'],
  ['UNEXPECTED_TOOL_CALL', 'broken-call'],
  ['TOO_MANY_TOOL_CALLS', 'broken-call'],
  ['MALFORMED_RESPONSE', 'broken-call'],
  ['MISSING_THOUGHT_SIGNATURE', 'broken-call'],
])

const written: Record<FinishReason, string> = {
  stop: 'STOP',
  'stop-string': 'STOP',
  tools: 'STOP',
  paused: 'STOP',
  length: 'MAX_TOKENS',
  filtered: 'SAFETY',
  'broken-call': 'MALFORMED_FUNCTION_CALL',
}

/** Undefined while the model goes on. */
export function readFinishWord(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || value === 'FINISH_REASON_UNSPECIFIED') return undefined
  return value
}

export function mapFinish(word: string, message: string | undefined, hasCalls: boolean): Finish {
  const reason = read.get(word) ?? 'stop'
  if (reason === 'stop' && hasCalls) return { reason: 'tools' }
  if (reason !== 'filtered') return { reason }
  return { reason, explanation: message || `The answer was stopped: ${word}` }
}

/** A prompt that was refused has no candidates at all. */
export function mapBlocked(word: string, message: string | undefined): Finish {
  return { reason: 'filtered', explanation: message || `The prompt was blocked: ${word}` }
}

/** One that was cut off could not be read either, and that is said already. */
export function breakCall(finish: Finish): Finish {
  return finish.reason === 'length' || finish.reason === 'filtered' ? finish : { reason: 'broken-call' }
}

export function writeFinishWord(finish: Finish): string {
  return written[finish.reason]
}
