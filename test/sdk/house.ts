import { expect } from 'bun:test'
import { asObject, type JsonObject } from '../../server/dialects/json.ts'
import type { TranslatedDialect } from '../../server/dialects/spec.ts'
import { cost } from '../../server/ledger/price/cost.ts'
import { PriceBook } from '../../server/ledger/price/price-book.ts'
import type { Usage } from '../../server/ledger/price/price-snapshot.ts'
import { openRig, type Rig } from '../relay/rig.ts'
import {
  expectedUsage,
  type FakeUpstream,
  startAnthropic,
  startGemini,
  startOpenai,
} from '../upstreams/index.ts'
import type { SeenRequest } from '../upstreams/upstream.ts'
import { openAnthropicClient } from './anthropic-client.ts'
import { openChatClient } from './chat-client.ts'
import type { Client, Said } from './conversation.ts'
import { openGeminiClient } from './gemini-client.ts'
import { openResponsesClient } from './responses-client.ts'

export const DIALECTS = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const

/** Every client with every upstream, whole and streamed. */
export const PAIRS = DIALECTS.flatMap(client =>
  DIALECTS.flatMap(upstream => [false, true].map(stream => ({ client, upstream, stream }))),
)

/** The model is what chooses the upstream. All of them can think. */
export const MODELS: Readonly<Record<TranslatedDialect, string>> = {
  'openai-chat': 'gpt-5.2',
  'openai-responses': 'gpt-5.4',
  anthropic: 'claude-sonnet-4-6',
  gemini: 'gemini-3.5-flash',
}

/** One running gateway with a strict vendor behind it for each dialect, and every SDK in front of it. */
export interface House {
  readonly rig: Rig
  readonly key: string
  readonly userId: number
  readonly fakes: Readonly<Record<TranslatedDialect, FakeUpstream>>
  readonly clients: Readonly<Record<TranslatedDialect, Client>>
  /** The last request that reached an upstream. */
  seen(upstream: TranslatedDialect): SeenRequest
  /** What the last request to an upstream costs by its own count, at the prices in force. */
  price(upstream: TranslatedDialect, model?: string): number
  /** What some use of a model costs. */
  cost(model: string, usage: Usage): number
  /** The client was told what the upstream counted, to the token, and paid for that, to the unit. */
  expectPaid(upstream: TranslatedDialect, said: Said, model?: string): Promise<void>
  close(): Promise<void>
}

interface HouseOptions {
  /** Whether the chat upstream shows what it thinks, as vendors of open models do. */
  readonly showsThinking?: boolean
  /** Models beside the four, by upstream. */
  readonly more?: Partial<Record<TranslatedDialect, readonly string[]>>
  /** In force from the beginning. */
  readonly settings?: Readonly<Record<string, string>>
  /** Of the program: where its database is, for example. */
  readonly environment?: Readonly<Record<string, string>>
}

export async function openHouse(options: HouseOptions = {}): Promise<House> {
  const forbid: string[] = []
  const fakes = {
    'openai-chat': await startOpenai({ forbid, showsThinking: options.showsThinking }),
    'openai-responses': await startOpenai({ forbid }),
    // What the Vercel SDK adds to every tool of a stream.
    anthropic: await startAnthropic({ forbid }),
    gemini: await startGemini({ forbid }),
  }
  const types = { 'openai-chat': 1, 'openai-responses': 1, anthropic: 14, gemini: 24 }
  let key = ''
  let userId = 0
  const rig = await openRig(async seeds => {
    userId = await seeds.addUser({ quota: 500_000_000 })
    key = (await seeds.addToken({ userId })).key
    forbid.push(key.slice(3))
    for (const [name, value] of Object.entries(options.settings ?? {})) await seeds.setOption(name, value)
    for (const dialect of DIALECTS)
      await seeds.addChannel({
        type: types[dialect],
        baseUrl: fakes[dialect].url,
        key: fakes[dialect].key,
        models: [MODELS[dialect], ...(options.more?.[dialect] ?? [])],
        setting: { dialects: [dialect] },
      })
  }, options.environment)
  const clients = {
    'openai-chat': openChatClient(rig.url, key),
    'openai-responses': openResponsesClient(rig.url, key),
    anthropic: openAnthropicClient(rig.url, key),
    gemini: openGeminiClient(rig.url, key),
  }
  const prices = new PriceBook(rig.store.settings.all)

  function seen(upstream: TranslatedDialect): SeenRequest {
    const last = fakes[upstream].requests.at(-1)
    if (last === undefined) throw new Error(`nothing reached ${upstream}`)
    return last
  }

  function count(upstream: TranslatedDialect) {
    return expectedUsage(upstream, bodyOf(seen(upstream)))
  }

  function costOf(model: string, usage: Usage): number {
    return cost(prices.snapshot(model, 'default'), usage)
  }

  function price(upstream: TranslatedDialect, model = MODELS[upstream]): number {
    const { input, cached, written, writtenHour, output } = count(upstream)
    return costOf(model, {
      input: input - cached - written - writtenHour,
      cacheRead: cached,
      cacheWrite: written,
      cacheWriteHour: writtenHour,
      output,
    })
  }

  return {
    rig,
    key,
    userId,
    fakes,
    clients,
    seen,
    price,
    cost: costOf,
    async expectPaid(upstream, said, model) {
      const { input, cached, output, reasoning } = count(upstream)
      expect(said.usage).toEqual({ input, cached, output, reasoning })
      expect(await rig.chargeOf(said.requestId)).toBe(price(upstream, model))
    },
    async close() {
      await rig.close()
      for (const fake of Object.values(fakes)) await fake.stop()
    },
  }
}

export function bodyOf(seen: SeenRequest): JsonObject {
  return asObject(seen.json) ?? {}
}

/** For the end of every file: nothing that reached a vendor was wrong, and the books agree. */
export async function expectOrder(house: House, complaints: readonly string[] = []): Promise<void> {
  expect(Object.values(house.fakes).flatMap(fake => fake.complaints)).toEqual([...complaints])
  expect(await house.rig.differences()).toEqual([])
}
