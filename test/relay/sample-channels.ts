// Channels that have what a test says and are plain otherwise.

import type { Insertable } from 'kysely'
import { Channel } from '../../server/relay/routing/channel.ts'
import { Cipher } from '../../server/store/cipher.ts'
import type { Store } from '../../server/store/index.ts'
import type { ChannelRow } from '../../server/store/routed-channel.ts'
import type { Channels } from '../../server/store/schema.ts'
import { channelKeyPlace } from '../../server/store/sealed-places.ts'
import { sampleSecret } from '../sample-store.ts'

const cipher = new Cipher(sampleSecret)

/** What a channel is where nobody says otherwise; the key is still to be sealed. */
export const plainChannel = {
  type: 1,
  status: 1,
  key_hash: '',
  key_sealed: '',
  other: '',
  group: 'default',
  priority: 0,
  weight: 0,
  auto_ban: 1,
  other_info: '',
  response_time: 0,
  test_time: 0,
  balance: 0,
  balance_updated_time: 0,
  used_quota: 0,
  created_time: 1,
} as const satisfies Partial<Insertable<Channels>>

export interface SampleChannel extends Partial<ChannelRow> {
  readonly key?: string
  readonly clock?: () => number
}

export function sampleRow({ key = 'sk-sample-key', clock: _, ...over }: SampleChannel = {}): ChannelRow {
  const id = over.id ?? 1
  return {
    id,
    type: 1,
    name: `channel ${id}`,
    status: 1,
    key_sealed: cipher.seal(channelKeyPlace(id), key),
    base_url: null,
    other: '',
    openai_organization: null,
    models: 'm',
    group: 'default',
    model_mapping: null,
    status_code_mapping: null,
    priority: 0,
    weight: 0,
    auto_ban: 1,
    setting: null,
    rpm: 0,
    tpm: 0,
    concurrency: 0,
    ...over,
  }
}

export function sampleChannel(over: SampleChannel = {}): Channel {
  return new Channel(sampleRow(over), cipher, over.clock ?? (() => 0))
}

export function sampleInsert(over: SampleChannel & { readonly other_info?: string }): Insertable<Channels> {
  return { ...plainChannel, ...sampleRow(over) }
}

export async function insertChannel(store: Store, over: Parameters<typeof sampleInsert>[0]): Promise<void> {
  await store.change('channels', async transaction => {
    await transaction.insertInto('channels').values(sampleInsert(over)).execute()
  })
}

/** A clock that stands still until it is told to go on. */
export function handClock(): { (): number; passes(ms: number): void } {
  let now = 1_000_000
  return Object.assign(() => now, {
    passes(ms: number) {
      now += ms
    },
  })
}

/** From 0 up to 1, the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
