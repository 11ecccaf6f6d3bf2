import { expect } from 'bun:test'
import { asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import type { FakeUpstream, Script } from '../../upstreams/index.ts'
import { startOpenai } from '../../upstreams/index.ts'
import { type ChannelSeed, openRig, type Rig } from '../rig.ts'
import { type Asking, ask, chat, readStream, requestIdOf } from '../ways.ts'

export type Name = 'a' | 'b' | 'c'
const NAMES: readonly Name[] = ['a', 'b', 'c']

/** One vendor that three channels lead to, each under a key of its own; a test has its models for itself. */
export interface ChannelHouse {
  readonly rig: Rig
  readonly key: string
  readonly userId: number
  readonly upstreams: Record<Name, FakeUpstream>
  /** A channel for one model at one of the upstreams; the id. */
  add(at: Name, model: string, seed?: Partial<ChannelSeed>): Promise<number>
  /** How an upstream answers a model, from now on. */
  answer(at: Name, model: string, script: Script): void
  /** How often each upstream was asked for a model. */
  asked(model: string): Record<Name, number>
  call(model: string, asking?: Partial<Asking>): Promise<Called>
  close(): Promise<void>
}

export interface Called {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  readonly requestId: string
  /** The words of a refusal, without the id behind them. */
  readonly words: string
  readonly code: unknown
}

/** Channels are added before the program starts, so that all of them are there at the first call. */
export async function openChannelHouse(
  options: Record<string, string>,
  seed: (house: Pick<ChannelHouse, 'add'> & { books: Omit<Rig, 'program' | 'url'> }) => Promise<void>,
  environment: Record<string, string> = {},
): Promise<ChannelHouse> {
  const started = await Promise.all(
    NAMES.map(name => startOpenai({ key: `sk-${name}-0123456789abcdef0123` })),
  )
  const [a, b, c] = started
  if (!a || !b || !c) throw new Error('no upstream')
  const upstreams = { a, b, c }
  const scripts = new Map<string, Script>()
  for (const name of NAMES)
    upstreams[name].always(async (seen, known) => {
      const script = scripts.get(`${name} ${modelOf(seen.json)}`) ?? {}
      return typeof script === 'function' ? script(seen, known) : script
    })
  let userId = 0
  let key = ''
  const rig = await openRig(async books => {
    userId = await books.addUser()
    key = (await books.addToken({ userId })).key
    for (const [name, value] of Object.entries({ DefaultModelRatio: '1', ...options }))
      await books.setOption(name, value)
    const add: ChannelHouse['add'] = (at, model, more = {}) => {
      const { url: baseUrl, key: vendorKey } = upstreams[at]
      return books.addChannel({ type: 1, baseUrl, key: vendorKey, models: [model], ...more })
    }
    await seed({ add, books })
  }, environment)
  return {
    rig,
    key,
    userId,
    upstreams,
    add: (at, model, more = {}) =>
      rig.addChannel({
        type: 1,
        baseUrl: upstreams[at].url,
        key: upstreams[at].key,
        models: [model],
        ...more,
      }),
    answer: (at, model, script) => void scripts.set(`${at} ${model}`, script),
    asked(model) {
      const count = (fake: FakeUpstream) => fake.requests.filter(seen => modelOf(seen.json) === model).length
      return { a: count(a), b: count(b), c: count(c) }
    },
    async call(model, asking = {}) {
      const response = await ask(rig.url, chat, { key, model, ...asking })
      const { text } = await readStream(response)
      const requestId = requestIdOf(response)
      const error = asObject(parse(text)?.error)
      const words = (asText(error?.message) ?? '').replace(` (request id: ${requestId})`, '')
      return { status: response.status, text, headers: response.headers, requestId, words, code: error?.code }
    },
    async close() {
      expect(await rig.differences()).toEqual([])
      for (const fake of started) expect(fake.complaints).toEqual([])
      await rig.close()
      for (const fake of started) await fake.stop()
    },
  }
}

function modelOf(body: unknown): string {
  return asText(asObject(body as JsonObject)?.model) ?? ''
}

function parse(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return undefined
  }
}
