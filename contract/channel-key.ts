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
