import { channelTypeOf } from './channel-types.ts'

/** What a header can carry. */
const sendable = /^[\t\x20-\x7e\x80-\xff]$/
const invisible = /^[\p{C}\p{Z}]$/u

/**
 * The first sign of a channel's keys that cannot be sent, as it is shown. The dots of a key that a vendor's page
 * shows in part, full-width letters and blanks of no width come along when keys are copied.
 */
export function unsendableIn(type: number, text: string): string | undefined {
  const { wholeKey, passes } = channelTypeOf(type) ?? {}
  // An account as JSON signs and is not sent; a service of any kind may have its key in the address, which takes all.
  if (passes || (wholeKey && text.trim().startsWith('{'))) return undefined
  const sign = [...text.replaceAll(/\s*\n\s*/g, '').trim()].find(one => !sendable.test(one))
  if (sign === undefined || !invisible.test(sign)) return sign
  return `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

const inFront = [
  /^(?:-H|--header|export|set)\s+/i,
  /^["'`]/,
  /^(?:\$env:)?(?:[A-Z][A-Z0-9]*_)+(?:KEY|TOKEN|SECRET)(?:_[A-Z0-9]+)*["'`]?\s*[=:]\s*(?=[^\s=])/,
  /^(?:authorization|(?:x-|x-goog-)?api[-_]key)["'`]?\s*[=:]\s*(?=[^\s=])/i,
  /^bearer\s+/i,
] as const
/** The longest that anybody writes in front of a key, with room to spare. */
const FRONT = 200

/**
 * What stands in front of one of a channel's keys and belongs to none: the line of an environment file, the header
 * of an example, quotes. No vendor's key begins so, and each is sent as it is, to be refused as unknown.
 */
export function frontOfKeys(type: number, text: string): string | undefined {
  // A service of any kind may be told to send just that.
  if (channelTypeOf(type)?.passes || text.trim().startsWith('{')) return undefined
  for (const line of text.split('\n')) {
    const start = line.trim().slice(0, FRONT)
    const front = start.slice(0, start.length - withoutFront(start).length).trim()
    if (front !== '') return front
  }
  return undefined
}

function withoutFront(text: string): string {
  const found = inFront.find(one => one.test(text))
  return found ? withoutFront(text.replace(found, '')) : text
}
