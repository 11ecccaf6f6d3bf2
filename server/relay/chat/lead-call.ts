import { leadToFiles as leadToAnthropic, mayNameAnthropicFiles } from '../anthropic/lead-to-files.ts'
import { leadToKept, mayNameKept } from '../gemini/lead-to-kept.ts'
import { leadToFiles as leadToOpenai, mayNameOpenaiFiles } from '../openai-kept/lead-to-files.ts'
import type { Order } from '../order/order.ts'
import type { ChatCall } from './chat-call.ts'
import type { Conversation } from './conversation.ts'

/** A call as the account understands it that keeps what it names, and where that is. */
export interface Led {
  readonly call: ChatCall
  readonly conversation: Conversation
}

/** Undefined when it names nothing that was kept for its caller, as most do. */
export function leadCall(order: Order, call: ChatCall): Promise<Led | undefined> | undefined {
  if (mayNameKept(call)) return leadToKept(order, call)
  if (mayNameOpenaiFiles(call)) return leadBy(leadToOpenai, order, call)
  return mayNameAnthropicFiles(call) ? leadBy(leadToAnthropic, order, call) : undefined
}

async function leadBy(lead: typeof leadToOpenai, order: Order, call: ChatCall): Promise<Led | undefined> {
  const conversation = await lead(order, call)
  return conversation && { call, conversation }
}
