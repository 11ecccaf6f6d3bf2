import type { RelayParts } from '../parts.ts'
import type { Channel } from './channel.ts'

/** Where an upstream keeps something: the channel, and of which of its keys the account is. */
export interface Place {
  readonly channel_id: number
  readonly key_hash: string
}

export interface FoundPlace {
  readonly channel: Channel
  readonly key: string
}

export function isSamePlace(one: Place, other: Place): boolean {
  return one.channel_id === other.channel_id && one.key_hash === other.key_hash
}

/** Undefined when the channel or the key is gone: no other account knows what that one keeps. */
export function findPlace(parts: RelayParts, { channel_id, key_hash }: Place): FoundPlace | undefined {
  const channel = parts.channels.byId(channel_id)
  const key = channel?.keys.find(one => hashAccount(parts, one) === key_hash)
  return channel && key !== undefined ? { channel, key } : undefined
}

/** By the name that the first such hashes were made under. */
export function hashAccount({ store }: RelayParts, key: string): string {
  return store.cipher.hash('gemini-account', key)
}
