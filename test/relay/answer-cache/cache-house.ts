import { expect } from 'bun:test'
import type { JsonObject } from '../../../server/dialects/json.ts'
import { type Client, rootClient } from '../../client.ts'
import type { FakeUpstream } from '../../upstreams/index.ts'
import { openRig, type Rig, type SeededToken } from '../rig.ts'
import { type Asking, anthropic, ask, chat, gemini, requestIdOf, vendorIn, type Way } from '../ways.ts'

export const CACHE = 'x-tollgate-cache'

export interface Called {
  readonly status: number
  readonly body: string
  readonly type: string | null
  /** `hit`, `miss`, or nothing. */
  readonly cache: string | null
  readonly age: string | null
  /** Where the answer is another question's. */
  readonly similarity: string | null
  readonly requestId: string
}

/** One model of each vendor; a token of input costs 3, one of output 6. */
export const models = new Map<Way, string>([
  [chat, 'm-chat'],
  [anthropic, 'm-claude'],
  [gemini, 'm-gemini'],
])

/** The program with one channel for each vendor, in which answers are kept for those who ask. */
export interface CacheHouse {
  readonly rig: Rig
  readonly root: Client
  readonly userId: number
  readonly token: SeededToken
  vendorOf(way: Way): FakeUpstream
  /** A call that asks for a kept answer unless it says otherwise. */
  call(way: Way, asking?: Partial<Asking> & { readonly cache?: string }): Promise<Called>
  post(path: string, body: JsonObject, cache?: string): Promise<Called>
  close(): Promise<void>
}

export async function openCacheHouse(
  seed: (books: Omit<Rig, 'program' | 'url'>, at: (way: Way) => FakeUpstream) => Promise<void>,
  environment: Record<string, string> = {},
): Promise<CacheHouse> {
  const fakes = new Map<Way, FakeUpstream>()
  for (const way of models.keys()) fakes.set(way, await way.start())
  const vendorOf = (way: Way) => vendorIn(fakes, way.name === 'openai-responses' ? chat : way)
  let userId = 0
  let token: SeededToken = { id: 0, key: '' }
  const rig = await openRig(async books => {
    userId = await books.addUser()
    token = await books.addToken({ userId })
    await books.setOption('AnswerCacheSeconds', '3600')
    await books.setOption('AnswerCacheRatio', '0.5')
    const names = [...models.values()]
    const each = (value: number) => JSON.stringify(Object.fromEntries(names.map(name => [name, value])))
    await books.setOption('ModelRatio', each(3))
    await books.setOption('CompletionRatio', each(2))
    for (const [way, name] of models) {
      const { url: baseUrl, key } = vendorOf(way)
      await books.addChannel({ type: way.channelType, baseUrl, key, models: [name] })
    }
    await seed(books, vendorOf)
  }, environment)
  const read = async (response: Response): Promise<Called> => ({
    status: response.status,
    body: Buffer.from(await response.arrayBuffer()).toString('latin1'),
    type: response.headers.get('content-type'),
    cache: response.headers.get(CACHE),
    age: response.headers.get('age'),
    similarity: response.headers.get('x-tollgate-cache-similarity'),
    requestId: requestIdOf(response),
  })
  return {
    rig,
    root: await rootClient(rig.url),
    userId,
    token,
    vendorOf,
    async call(way, { cache = 'on', headers, ...asking } = {}) {
      const model = models.get(way) ?? 'm-chat'
      const all = { ...(cache === '' ? {} : { [CACHE]: cache }), ...headers }
      return read(await ask(rig.url, way, { key: token.key, model, ...asking, headers: all }))
    },
    async post(path, body, cache = 'on') {
      const headers = {
        authorization: `Bearer ${token.key}`,
        'content-type': 'application/json',
        [CACHE]: cache,
      }
      return read(await fetch(rig.url + path, { method: 'POST', headers, body: JSON.stringify(body) }))
    },
    async close() {
      expect(await rig.differences()).toEqual([])
      for (const fake of fakes.values()) expect(fake.complaints).toEqual([])
      await rig.close()
      for (const fake of fakes.values()) await fake.stop()
    },
  }
}
