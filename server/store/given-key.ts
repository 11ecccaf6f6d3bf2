import { createHash } from 'node:crypto'
import type { Cipher } from './cipher.ts'

/** What a client brought to prove itself. */
export interface GivenKey {
  /** As it came. */
  readonly whole: string
  /** Of one that was issued here: what is left of it without what stands before and behind. */
  readonly key: string
  /** The channel it asks for, which only administrators may; NaN where that is no number. */
  readonly channelId: number | undefined
}

const PREFIX = 'sk-'

/** `sk-` in front is custom, not part of the key; `-<channel>` behind it chooses a channel. */
export function readKey(given: string): GivenKey {
  const whole = given.trim()
  const bare = whole.startsWith(PREFIX) ? whole.slice(PREFIX.length) : whole
  const dash = bare.indexOf('-')
  if (dash < 0) return { whole, key: bare, channelId: undefined }
  const channel = bare.slice(dash + 1)
  return {
    whole,
    key: bare.slice(0, dash),
    channelId: /^\d{1,15}$/.test(channel) ? Number(channel) : Number.NaN,
  }
}

interface Hashing {
  readonly cipher: Pick<Cipher, 'hash'>
}

/** What tokens are found by; made when one is issued, and again from what a client sends. */
export function tokenHash({ cipher }: Hashing, key: string): string {
  return cipher.hash('token', key)
}

/** The same for a token that came from LiteLLM, which knows no more of a key than its SHA-256, in hex. */
export function movedTokenHash({ cipher }: Hashing, digest: string): string {
  return cipher.hash('moved-token', digest)
}

/** Every hash that the token of this key may have: first that of one issued here, then that of one that came. */
export function tokenHashes(hashing: Hashing, given: GivenKey): string[] {
  const own = tokenHash(hashing, given.key)
  // Those that came all begin like this.
  if (!given.whole.startsWith(PREFIX)) return [own]
  return [own, movedTokenHash(hashing, createHash('sha256').update(given.whole).digest('hex'))]
}
