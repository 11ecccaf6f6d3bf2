import { leadToFiles, mayNameAnthropicFiles } from '../anthropic/lead-to-files.ts'
import { leadToKept, mayNameKept } from '../gemini/lead-to-kept.ts'
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
  return mayNameAnthropicFiles(call) ? leadToAccount(order, call) : undefined
}

async function leadToAccount(order: Order, call: ChatCall): Promise<Led | undefined> {
  const conversation = await leadToFiles(order, call)
  return conversation && { call, conversation }
}
