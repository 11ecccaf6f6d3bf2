import { randomBytes } from 'node:crypto'

export function makeChatId(): string {
  return `chatcmpl-${randomBytes(15).toString('base64url')}`
}

/** Answers of other vendors keep their own id behind the prefix by which clients know this dialect. */
export function prefixChatId(id: string): string {
  return id.startsWith('chatcmpl-') ? id : `chatcmpl-${id}`
}

/** For vendors that leave the id of a call out: its result could not name it otherwise. */
export function makeCallId(): string {
  return `call_${randomBytes(12).toString('hex')}`
}
