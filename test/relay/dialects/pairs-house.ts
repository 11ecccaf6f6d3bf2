import { expect } from 'bun:test'
import { asObject, type JsonObject } from '../../../server/dialects/json.ts'
import type { FakeUpstream } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { anthropic, chat, gemini, responses, vendorIn, type Way } from '../ways.ts'

/** One gateway, and a strict vendor of each dialect behind it that is asked in no other. */
export interface Pairs {
  readonly rig: Rig
  readonly key: string
  vendorOf(way: Way): FakeUpstream
  /** A token of it costs one unit. */
  modelOf(way: Way): string
  /** The last body that reached it. */
  sentTo(way: Way): JsonObject
  /** The books agree, and no vendor has had to complain. */
  close(): Promise<void>
}

const models = new Map<Way, string>([
  [chat, 'gpt-4o'],
  [responses, 'gpt-4.1'],
  [anthropic, 'claude-sonnet-4-6'],
  [gemini, 'gemini-3.5-flash'],
])

export async function openPairs(): Promise<Pairs> {
  const vendors = new Map<Way, FakeUpstream>()
  for (const way of models.keys()) vendors.set(way, await way.start())
  const vendorOf = (way: Way) => vendorIn(vendors, way)
  let key = ''
  const rig = await openRig(async books => {
    const userId = await books.addUser()
    key = (await books.addToken({ userId })).key
    const ratios = JSON.stringify(Object.fromEntries([...models.values()].map(name => [name, 1])))
    await books.setOption('ModelRatio', ratios)
    await books.setOption('CompletionRatio', ratios)
    for (const [way, model] of models)
      await books.addChannel({
        type: way.channelType,
        baseUrl: vendorOf(way).url,
        key: vendorOf(way).key,
        models: [model],
        setting: { dialects: [way.name] },
      })
  })
  return {
    rig,
    key,
    vendorOf,
    modelOf: way => models.get(way) ?? '',
    sentTo: way => asObject(vendorOf(way).requests.at(-1)?.json) ?? {},
    async close() {
      expect(await rig.differences()).toEqual([])
      await rig.close()
      for (const vendor of vendors.values()) {
        expect(vendor.complaints).toEqual([])
        await vendor.stop()
      }
    },
  }
}
