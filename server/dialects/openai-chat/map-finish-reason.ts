import type { FinishReason } from '../spec.ts'

/** What was seen besides the word, because many vendors say `stop` whatever happened. */
interface Seen {
  readonly tools: boolean
  readonly refusal: boolean
}

/** `failed` is for words by which a vendor says that the answer is no answer. */
export function readFinishReason(word: unknown, seen: Seen): FinishReason | 'failed' {
  switch (word) {
    case 'length':
    case 'max_tokens':
    case 'model_length':
    case 'model_context_window_exceeded':
      return 'length'
    case 'content_filter':
    case 'sensitive':
      return 'filtered'
    case 'error':
    case 'network_error':
    case 'insufficient_system_resource':
      return 'failed'
  }
  if (seen.tools) return 'tools'
  return seen.refusal ? 'filtered' : 'stop'
}

/** A refusal that the message spells out ends with `stop`, as the vendor's own do. */
export function writeFinishReason(reason: FinishReason, hasRefusal: boolean, oldCalls = false): string {
  switch (reason) {
    case 'length':
      return 'length'
    case 'tools':
      return oldCalls ? 'function_call' : 'tool_calls'
    case 'filtered':
      return hasRefusal ? 'stop' : 'content_filter'
    default:
      return 'stop'
  }
}
