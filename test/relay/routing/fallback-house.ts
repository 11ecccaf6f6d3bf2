import { asObject, asText } from '../../../server/dialects/json.ts'
import { type FakeUpstream, startAnthropic, startGemini, startOpenai } from '../../upstreams/index.ts'
import type { SeenRequest } from '../../upstreams/upstream.ts'
import { type ChannelSeed, openRig, type Rig } from '../rig.ts'
import { type Asking, ask, chat, readStream, requestIdOf, type Way } from '../ways.ts'

export const vendors = ['openai', 'anthropic', 'gemini'] as const
export type Vendor = (typeof vendors)[number]

/** One model of each vendor, with prices of their own: model ratio and completion ratio. */
export const standIns = {
  openai: { model: 'f-openai', ratio: 3, output: 2 },
  anthropic: { model: 'f-claude', ratio: 5, output: 4 },
  gemini: { model: 'f-gemini', ratio: 0.5, output: 1 },
} as const satisfies Record<Vendor, object>

const types: Record<Vendor, number> = { openai: 1, anthropic: 14, gemini: 24 }

export interface FallbackHouse {
  readonly rig: Rig
  /** Behind every model whose name begins with `down`: it fails unless it is told otherwise. */
  readonly down: FakeUpstream
  readonly at: Record<Vendor, FakeUpstream>
  /** A channel at one of them; models that are `priced` cost ratio 1. */
  channel(at: Vendor | 'down', models: readonly string[], more?: Partial<ChannelSeed>): Promise<number>
  call(model: string, asking: Partial<Asking> & { readonly key: string; readonly way?: Way }): Promise<Called>
  /** How many requests named the model there. */
  asked(at: Vendor | 'down', model: string): number
  close(): Promise<readonly string[]>
}

export interface Called {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly requestId: string
  readonly row: Awaited<ReturnType<Rig['logOf']>>
  readonly charge: number | undefined
}

interface Plan {
  readonly fallbacks: Record<string, readonly string[]>
  /** Models of ratio 1, besides. */
  readonly priced: readonly string[]
  readonly options?: Record<string, string>
  seed(house: Pick<FallbackHouse, 'channel'> & { readonly rig: Omit<Rig, 'program' | 'url'> }): Promise<void>
}

/** The program with a model that fails, and one of each vendor to stand in for it. */
export async function openFallbackHouse({ fallbacks, priced, options, seed }: Plan): Promise<FallbackHouse> {
  const down = await startOpenai()
  down.always(down.failWith('server-error'))
  const at = { openai: await startOpenai(), anthropic: await startAnthropic(), gemini: await startGemini() }
  const fakeOf = (name: Vendor | 'down'): FakeUpstream => (name === 'down' ? down : at[name])
  const channelIn =
    (books: Pick<Rig, 'addChannel'>): FallbackHouse['channel'] =>
    (name, models, more) => {
      const { url: baseUrl, key } = fakeOf(name)
      const type = name === 'down' ? types.openai : types[name]
      return books.addChannel({ type, baseUrl, key, models, ...more })
    }
  const rig = await openRig(async books => {
    const all = Object.values(standIns)
    const ratios = Object.fromEntries(priced.map(model => [model, 1]))
    const pairs = (field: 'ratio' | 'output') =>
      Object.fromEntries(all.map(standIn => [standIn.model, standIn[field]]))
    await books.setOption('ModelRatio', JSON.stringify({ ...ratios, ...pairs('ratio') }))
    await books.setOption('CompletionRatio', JSON.stringify({ ...ratios, ...pairs('output') }))
    await books.setOption('ModelFallbacks', JSON.stringify(fallbacks))
    for (const [key, value] of Object.entries(options ?? {})) await books.setOption(key, value)
    const channel = channelIn(books)
    for (const vendor of vendors) await channel(vendor, [standIns[vendor].model])
    await seed({ rig: books, channel })
  })
  return {
    rig,
    down,
    at,
    channel: channelIn(rig),
    async call(model, { way = chat, ...asking }) {
      const response = await ask(rig.url, way, { model, ...asking })
      const { text } = await readStream(response)
      const requestId = requestIdOf(response)
      const row = await rig.logOf(requestId)
      const { status, headers } = response
      return { status, headers, text, requestId, row, charge: await rig.chargeOf(requestId) }
    },
    asked: (name, model) => fakeOf(name).requests.filter(seen => modelOf(seen) === model).length,
    async close() {
      const differences = await rig.differences()
      const fakes = [down, ...Object.values(at)]
      const complaints = fakes.flatMap(fake => fake.complaints)
      await rig.close()
      for (const fake of fakes) await fake.stop()
      return [...differences, ...complaints]
    },
  }
}

export function modelOf({ json, path }: SeenRequest): string | undefined {
  return asText(asObject(json)?.model) ?? /models\/([^:]+):/.exec(path)?.[1]
}

/** What the last answer of a stand-in costs, by what its upstream counted. */
export function costAt({ at }: FallbackHouse, vendor: Vendor): number {
  const { tally } = at[vendor].served.at(-1) ?? {}
  const { ratio, output } = standIns[vendor]
  return Math.round(((tally?.input ?? 0) + (tally?.output ?? 0) * output) * ratio)
}
