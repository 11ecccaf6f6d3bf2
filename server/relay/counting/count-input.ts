import type { ChatCall } from '../chat/chat-call.ts'
import { roughInput } from './estimate-input.ts'
import { countRequest } from './request-text.ts'
import type { TokenCounter } from './token-counter.ts'

/** The tokens of a prompt whose upstream did not say; of one that cannot be put into neutral words, about. */
export async function countInput(counter: TokenCounter, call: ChatCall): Promise<number> {
  try {
    return await countRequest(counter, call.neutral())
  } catch {
    return roughInput(call.outline.textLength)
  }
}
