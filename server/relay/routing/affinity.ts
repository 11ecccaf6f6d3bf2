import type { Preference } from './choose-channel.ts'
import { ExpiringMap } from './expiring-map.ts'

const MOST_ENTRIES = 100_000

/** What a request tells of the conversation it belongs to, in the order in which it is believed. */
export interface ConversationHints {
  /** `prompt_cache_key` */
  readonly cacheKey?: string | undefined
  /** `metadata.user_id` */
  readonly userId?: string | undefined
  /** `conversation`, or `previous_response_id` */
  readonly conversation?: string | undefined
  /** System text and first user message, or the first part of the request's JSON. */
  readonly opening?: readonly string[] | undefined
}

/** The same for every request of a conversation; undefined when nothing tells them apart from others. */
export function affinityKey(tokenId: number, model: string, hints: ConversationHints): bigint | undefined {
  const name = nameOf(hints)
  // Lengths tell ('ab', 'c') from ('a', 'bc').
  return name === undefined ? undefined : Bun.hash.wyhash(`${tokenId} ${model.length} ${model} ${name}`)
}

function nameOf({ cacheKey, userId, conversation, opening }: ConversationHints): string | undefined {
  if (cacheKey) return `cache ${cacheKey}`
  if (userId) return `user ${userId}`
  if (conversation) return `conversation ${conversation}`
  let said = ''
  let isEmpty = true
  for (const text of opening ?? []) {
    said += `${text.length} ${text} `
    isEmpty &&= text === ''
  }
  return isEmpty ? undefined : `opening ${said}`
}

/** Which channel holds the prompt cache of a conversation. */
export class Affinity {
  readonly #conversations: ExpiringMap<bigint, number>

  constructor(clock: () => number = () => performance.now(), most = MOST_ENTRIES) {
    this.#conversations = new ExpiringMap(clock, most)
  }

  remember(key: bigint, channelId: number): void {
    this.#conversations.set(key, channelId)
  }

  find(key: bigint | undefined): Preference | undefined {
    const holder = key === undefined ? undefined : this.#conversations.get(key)
    return holder === undefined ? undefined : { channelId: holder, pinned: false }
  }
}
