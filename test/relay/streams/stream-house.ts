import { expect } from 'bun:test'
import type { JsonObject } from '../../../server/dialects/json.ts'
import type { FakeUpstream, Script } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { anthropic, ask, chat, gemini, readStream, requestIdOf, responses, type Way } from '../ways.ts'

/** A client's dialect and the vendor that answers it. */
export interface Pair {
  readonly name: string
  readonly client: Way
  readonly vendor: Way
}

const pair = (client: Way, vendor: Way): Pair => ({
  name: `${client.name} from ${vendor.name}`,
  client,
  vendor,
})

export const passing: readonly Pair[] = [chat, responses, anthropic, gemini].map(way => pair(way, way))
export const converted: readonly Pair[] = [
  pair(chat, anthropic),
  pair(anthropic, chat),
  pair(responses, gemini),
  pair(gemini, chat),
]
export const pairs: readonly Pair[] = [...passing, ...converted]

export interface Streamed {
  readonly status: number
  readonly text: string
  readonly events: readonly { event: string; data: string }[]
  readonly broke: boolean
  readonly requestId: string
  readonly charge: number | undefined
}

/** The program with one channel for each vendor, and a user who can pay for anything. */
export interface StreamHouse {
  readonly rig: Rig
  readonly key: string
  readonly userId: number
  vendorOf(way: Way): FakeUpstream
  /** One stream from its first to its last byte, and what it cost. */
  stream(
    pair: Pair,
    asking?: { text?: string; model?: string; more?: JsonObject; script?: Script; answered?: () => void },
  ): Promise<Streamed>
  close(): Promise<void>
}

export async function openStreamHouse(
  options: { models?: readonly string[]; accept?: readonly string[] } = {},
) {
  const { models = [], accept = [] } = options
  const fakes = new Map<string, FakeUpstream>()
  for (const way of [chat, anthropic, gemini]) fakes.set(way.model, await way.start({ accept }))
  const vendorOf = (way: Way): FakeUpstream => {
    const fake = fakes.get(way.model)
    if (!fake) throw new Error(`nobody has ${way.model}`)
    return fake
  }
  let userId = 0
  let key = ''
  const rig = await openRig(async books => {
    userId = await books.addUser({ quota: 1e14 })
    key = (await books.addToken({ userId })).key
    await books.setOption('DefaultModelRatio', '1')
    for (const way of [chat, anthropic, gemini]) {
      const { url, key: vendorKey } = vendorOf(way)
      const seed = { type: way.channelType, baseUrl: url, key: vendorKey }
      await books.addChannel({ ...seed, models: [way.model, ...(way === chat ? models : [])] })
    }
  })
  const house: StreamHouse = {
    rig,
    key,
    userId,
    vendorOf,
    async stream({ client, vendor }, asking = {}) {
      const { script, answered, model = vendor.model, ...rest } = asking
      if (script) vendorOf(vendor).next(script)
      const response = await ask(rig.url, client, { key, model, stream: true, ...rest })
      answered?.()
      const read = await readStream(response)
      const requestId = requestIdOf(response)
      // A channel whose streams break one after the other is left alone: here each is the first.
      if (script) await (await ask(rig.url, client, { key, model })).text()
      return { ...read, status: response.status, requestId, charge: await rig.chargeOf(requestId) }
    },
    async close() {
      expect(await rig.differences()).toEqual([])
      for (const fake of fakes.values()) expect(fake.complaints).toEqual([])
      await rig.close()
      for (const fake of fakes.values()) await fake.stop()
    },
  }
  return house
}
