import type { Preference } from './choose-channel.ts'

const MOST_ENTRIES = 100_000
const TTL_MS = 3_600_000

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

/** An item that an upstream keeps, and whom it was made for. */
interface KeptItem {
  readonly userId: number
  readonly channelId: number
}

/** Which channel holds the prompt cache of a conversation, and which one keeps a stored response or item. */
export class Affinity {
  readonly #conversations: ExpiringMap<bigint, number>
  readonly #responses: ExpiringMap<string, number>
  readonly #items: ExpiringMap<string, KeptItem>

  constructor(clock: () => number = () => performance.now(), most = MOST_ENTRIES) {
    this.#conversations = new ExpiringMap(clock, most)
    this.#responses = new ExpiringMap(clock, most)
    this.#items = new ExpiringMap(clock, most)
  }

  remember(key: bigint, channelId: number): void {
    this.#conversations.set(key, channelId)
  }

  /** Only the upstream that made a response can be asked to continue it. */
  rememberResponse(responseId: string, channelId: number): void {
    if (responseId !== '') this.#responses.set(responseId, channelId)
  }

  rememberItem(id: string, kept: KeptItem): void {
    if (id !== '') this.#items.set(id, kept)
  }

  findItem(id: string): KeptItem | undefined {
    return this.#items.get(id)
  }

  find(key: bigint | undefined, previousResponseId?: string): Preference | undefined {
    const maker = previousResponseId ? this.#responses.get(previousResponseId) : undefined
    if (maker !== undefined) return { channelId: maker, pinned: true }
    const holder = key === undefined ? undefined : this.#conversations.get(key)
    return holder === undefined ? undefined : { channelId: holder, pinned: false }
  }
}

/** Forgets what was not set for an hour, and what was set longest ago when it is full. */
class ExpiringMap<K, V> {
  readonly #clock: () => number
  readonly #most: number
  readonly #entries = new Map<K, { readonly value: V; readonly until: number }>()

  constructor(clock: () => number, most: number) {
    this.#clock = clock
    this.#most = most
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    if (entry.until > this.#clock()) return entry.value
    this.#entries.delete(key)
    return undefined
  }

  set(key: K, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, until: this.#clock() + TTL_MS })
    if (this.#entries.size <= this.#most) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      return
    }
  }
}
