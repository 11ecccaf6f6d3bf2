import { createHmac } from 'node:crypto'
import { isSameSecret } from '../../store/same-secret.ts'

const STEP_SECONDS = 30
const DIGITS = 6
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code of one time step (RFC 6238: HMAC-SHA-1, six digits). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0xf
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS
  return String(number).padStart(DIGITS, '0')
}

/** The time step a code belongs to: this one, or one beside it for clocks that differ a little. */
export function findStep(secret: Uint8Array, code: string, now: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const present = Math.floor(now / STEP_SECONDS)
  return [present, present - 1, present + 1].find(step => isSameSecret(totpCode(secret, step), code))
}

/** Base32 without padding, as authenticator apps take it. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += ALPHABET.charAt((held >> bits) & 31)
      held &= (1 << bits) - 1
    }
  }
  return bits > 0 ? text + ALPHABET.charAt((held << (5 - bits)) & 31) : text
}

/** What that text stands for, as people and other programs write it too; undefined where it is none. */
export function fromBase32(text: string): Uint8Array | undefined {
  const letters = text.replace(/[\s=-]/g, '').toUpperCase()
  if (!/^[A-Z2-7]+$/.test(letters)) return undefined
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const letter of letters) {
    held = (held << 5) | ALPHABET.indexOf(letter)
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push(held >> bits)
    held &= (1 << bits) - 1
  }
  return Uint8Array.from(bytes)
}

/** What a QR code carries into an authenticator app. */
export function otpauthUrl(issuer: string, account: string, secret: Uint8Array): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const query = `secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
  return `otpauth://totp/${label}?${query}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`
}
