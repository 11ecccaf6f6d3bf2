import { asObject, asText, type JsonObject } from '../json.ts'
import type { Finish, FinishReason } from '../spec.ts'

/** From a whole message, or from the delta that ends a stream. A reason not known here ended well. */
export function readFinish(message: JsonObject): Finish {
  switch (message.stop_reason) {
    case 'stop_sequence':
      return { reason: 'stop-string', stopSequence: asText(message.stop_sequence) }
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return { reason: 'length' }
    case 'tool_use':
      return { reason: 'tools' }
    case 'refusal':
      return { reason: 'filtered', explanation: readExplanation(message) }
    case 'pause_turn':
      return { reason: 'paused' }
    default:
      return { reason: 'stop' }
  }
}

/** `called`: clients look at the reason to know that a tool is wanted, and some vendors say `stop` there. */
export function writeFinish(finish: Finish | undefined, called: boolean): JsonObject {
  const reason = finish?.reason ?? 'stop'
  return {
    stop_reason: reason === 'stop' && called ? 'tool_use' : STOP_REASONS[reason],
    stop_sequence: finish?.stopSequence ?? null,
    stop_details:
      finish?.explanation === undefined
        ? undefined
        : { type: 'refusal', category: null, explanation: finish.explanation },
  }
}

const STOP_REASONS: Record<FinishReason, string> = {
  stop: 'end_turn',
  'stop-string': 'stop_sequence',
  length: 'max_tokens',
  tools: 'tool_use',
  filtered: 'refusal',
  paused: 'pause_turn',
  'broken-call': 'end_turn',
}

function readExplanation(message: JsonObject): string | undefined {
  const details = asObject(message.stop_details)
  return asText(details?.explanation) ?? asText(details?.category)
}
