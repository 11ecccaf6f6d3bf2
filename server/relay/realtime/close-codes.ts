export const closeCodes = {
  normal: 1000,
  goingAway: 1001,
  policy: 1008,
  tooBig: 1009,
  failed: 1011,
  busy: 1013,
} as const

const NO_CODE = 1005
const LONGEST_REASON = 123

/** A code as it may be sent: some are only ever observed, and say that there was none or that the line broke. */
export function sendableCode(code: number): number {
  if (code === NO_CODE) return closeCodes.normal
  if (code >= 3000 && code <= 4999) return code
  const isKnown = (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014)
  return isKnown ? code : closeCodes.failed
}

/** Whether the side that closed did so because something broke. */
export function isBreak(code: number): boolean {
  return code === 1006 || code === 1011 || code === 1012 || code === 1014 || code === 1015
}

/** As much of a text as a close frame holds. */
export function closeReason(text: string): string {
  if (Buffer.byteLength(text) <= LONGEST_REASON) return text
  // A letter cut in half at the end falls away.
  return Buffer.from(text).subarray(0, LONGEST_REASON).toString().replace(/�$/, '')
}
