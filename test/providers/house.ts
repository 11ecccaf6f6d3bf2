import { expect } from 'bun:test'
import type { JsonObject } from '../../server/dialects/json.ts'
import type { TranslatedDialect } from '../../server/dialects/spec.ts'
import { cost } from '../../server/ledger/price/cost.ts'
import { PriceBook } from '../../server/ledger/price/price-book.ts'
import type { Usage } from '../../server/ledger/price/price-snapshot.ts'
import { type ChannelSeed, openRig, type Rig } from '../relay/rig.ts'
import { requestIdOf } from '../relay/ways.ts'
import { openAnthropicClient } from '../sdk/anthropic-client.ts'
import { openChatClient } from '../sdk/chat-client.ts'
import type { Client, Said } from '../sdk/conversation.ts'
import { openGeminiClient } from '../sdk/gemini-client.ts'
import { openResponsesClient } from '../sdk/responses-client.ts'
import type { FailureKind } from '../upstreams/failure.ts'
import type { FakeUpstream } from '../upstreams/index.ts'
import type { Tally } from '../upstreams/tally.ts'
import type { SeenRequest, UpstreamOptions } from '../upstreams/upstream.ts'

/** What a failure of the vendor has to lead to. */
export interface Failure {
  readonly kind: FailureKind
  /** `told`: the caller hears it. `retried`: the next channel is asked. `disabled`: and the key is taken out of service. */
  readonly leads: 'told' | 'retried' | 'disabled'
  /** What the caller sees, when told; the vendor's own when absent. */
  readonly status?: number
}

/** A vendor as a test wants it behind the gateway. */
export interface VendorSetup {
  readonly type: number
  /** The strict fake. */
  readonly start: (options: UpstreamOptions) => Promise<FakeUpstream>
  /** Models that the channel serves. */
  readonly models: readonly string[]
  /** More of the channel, when its fake is running. */
  readonly channel?: (fake: FakeUpstream) => Partial<ChannelSeed>
  /** Channels beside it. */
  readonly beside?: (fake: FakeUpstream) => readonly ChannelSeed[]
  /** For each there are two channels of its own under a model's name that is mapped to the first model. */
  readonly failures?: readonly Failure[]
  /** What each of its answers costs besides tokens, in quota. */
  readonly fee?: number
}

/** One running gateway with one strict vendor behind it and every SDK in front of it. */
export interface VendorHouse {
  readonly rig: Rig
  readonly fake: FakeUpstream
  readonly key: string
  readonly channelId: number
  readonly clients: Readonly<Record<TranslatedDialect, Client>>
  /** The last request that reached the vendor. */
  seen(): SeenRequest
  body(): JsonObject
  /** A call that is not chat. */
  post(path: string, body: JsonObject | FormData): Promise<Response>
  cost(model: string, usage: Usage): number
  /** The client was told what the vendor counted, to the token, and paid for that, to the unit. */
  expectPaid(said: Said, model: string): Promise<void>
  /** The second half alone, where the client reads the vendor's own numbers. */
  expectPrice(said: Said, model: string): Promise<void>
  /** The same for a call that is not chat. */
  expectCharge(response: Response, model: string, usage: Usage): Promise<void>
  statusOf(model: string): Promise<number>
  /** The model of the two channels for a failure. */
  failing(kind: FailureKind): string
  /** Nothing that reached the vendor was wrong, and the books agree. */
  expectOrder(complaints?: readonly string[]): Promise<void>
  close(): Promise<void>
}

// The first count loads the vocabulary of a tokenizer, which takes its time on a busy machine.
/** Of models that have no price of their own. */
const RATIO = 2.5

export async function openVendor(setup: VendorSetup): Promise<VendorHouse> {
  const { houses, close } = await openVendors([setup])
  const [house] = houses
  if (!house) throw new Error('no house')
  return { ...house, close }
}

interface Street {
  readonly houses: readonly VendorHouse[]
  close(): Promise<void>
}

/** Several vendors behind one gateway, each of a type of its own. Closing a house stops its vendor alone. */
export async function openVendors(setups: readonly VendorSetup[]): Promise<Street> {
  const forbid: string[] = []
  const ids: number[] = []
  const fakes = await Promise.all(setups.map(setup => setup.start({ forbid })))
  let key = ''
  const rig = await openRig(async seeds => {
    const userId = await seeds.addUser({ quota: 500_000_000 })
    key = (await seeds.addToken({ userId })).key
    forbid.push(key.slice(3))
    await seeds.setOption('DefaultModelRatio', String(RATIO))
    await seeds.setOption('AutomaticDisableChannelEnabled', 'true')
    await seeds.setOption('RetryTimes', '2')
    for (const [at, setup] of setups.entries()) ids.push(await addChannels(seeds, setup, fakes[at]))
  })
  const clients = {
    'openai-chat': openChatClient(rig.url, key),
    'openai-responses': openResponsesClient(rig.url, key),
    anthropic: openAnthropicClient(rig.url, key),
    gemini: openGeminiClient(rig.url, key),
  }
  const houses = setups.flatMap((setup, at) => {
    const fake = fakes[at]
    return fake ? furnish(setup, { rig, fake, key, clients, channelId: ids[at] ?? 0 }) : []
  })
  return {
    houses,
    async close() {
      await rig.close()
      for (const house of houses) await house.close()
    },
  }
}

const failingModel = (type: number, kind: FailureKind): string => `fails-${type}-${kind}`

async function addChannels(
  seeds: Pick<Rig, 'addChannel'>,
  setup: VendorSetup,
  fake: FakeUpstream | undefined,
): Promise<number> {
  if (!fake) throw new Error('no fake')
  const channel = { type: setup.type, baseUrl: fake.url, key: fake.key, ...setup.channel?.(fake) }
  const id = await seeds.addChannel({ ...channel, models: setup.models })
  for (const seed of setup.beside?.(fake) ?? []) await seeds.addChannel(seed)
  for (const { kind } of setup.failures ?? []) {
    const model = failingModel(setup.type, kind)
    const mapping = { ...channel.mapping, [model]: setup.models[0] ?? '' }
    for (const priority of [10, 0])
      await seeds.addChannel({ ...channel, name: `${model}-${priority}`, models: [model], mapping, priority })
  }
  return id
}

function furnish(
  setup: VendorSetup,
  parts: Pick<VendorHouse, 'rig' | 'fake' | 'key' | 'clients' | 'channelId'>,
): VendorHouse {
  const { rig, fake, key } = parts
  const prices = new PriceBook({ ...rig.store.settings.all, DefaultModelRatio: RATIO })
  const costOf = (model: string, usage: Usage): number => cost(prices.snapshot(model, 'default'), usage)

  function seen(): SeenRequest {
    const last = fake.requests.at(-1)
    if (last === undefined) throw new Error('nothing reached the vendor')
    return last
  }

  function lastTally(): Tally {
    const tally = fake.served.at(-1)?.tally
    if (!tally) throw new Error('nothing was served')
    return tally
  }

  return {
    ...parts,
    seen,
    body: () => JSON.parse(seen().text),
    post(path, body) {
      const isForm = body instanceof FormData
      const headers: Record<string, string> = { authorization: `Bearer ${key}` }
      if (!isForm) headers['content-type'] = 'application/json'
      return fetch(`${rig.url}${path}`, {
        method: 'POST',
        headers,
        body: isForm ? body : JSON.stringify(body),
      })
    },
    cost: costOf,
    async expectPaid(said, model) {
      const { input, cached, output, reasoning } = lastTally()
      expect(said.usage).toEqual({ input, cached, output, reasoning })
      await this.expectPrice(said, model)
    },
    async expectPrice(said, model) {
      const { input, cached, written, writtenHour, output } = lastTally()
      const price = costOf(model, {
        input: input - cached - written - writtenHour,
        cacheRead: cached,
        cacheWrite: written,
        cacheWriteHour: writtenHour,
        output,
      })
      expect(await rig.chargeOf(said.requestId)).toBe(price + (setup.fee ?? 0))
    },
    async expectCharge(response, model, usage) {
      expect(await rig.chargeOf(requestIdOf(response))).toBe(costOf(model, usage))
    },
    async statusOf(model) {
      const row = await rig.store.db
        .selectFrom('channels')
        .select('status')
        .where('name', '=', `${model}-10`)
        .executeTakeFirstOrThrow()
      return row.status
    },
    failing: kind => failingModel(setup.type, kind),
    async expectOrder(complaints = []) {
      expect(fake.complaints).toEqual([...complaints])
      expect(await rig.differences()).toEqual([])
    },
    close: () => fake.stop(),
  }
}
