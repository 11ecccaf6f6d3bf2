import { expect } from 'bun:test'
import { asObject, asText, type JsonObject } from '../../server/dialects/json.ts'
import { openSocket } from '../../server/relay/upstream/open-socket.ts'
import { Talk } from '../realtime/house.ts'
import { openRig, type Rig, type SeededToken, type TokenSeed } from '../relay/rig.ts'
import { type FakeUpstream, startAnthropic, startOpenai } from '../upstreams/index.ts'

/** Answered in its own dialect, and in another. */
export const MODEL = 'gpt-4o'
export const CONVERTED = 'claude-sonnet-4-6'

/** The program with two vendors behind it, and sockets to it. */
export interface House {
  readonly rig: Rig
  readonly openai: FakeUpstream
  readonly anthropic: FakeUpstream
  /** A user of its own with a token, so that what one test spends is nobody else's. */
  addCaller(seed?: Partial<TokenSeed>, quota?: number): Promise<{ userId: number; token: SeededToken }>
  connect(key: string, options?: Bun.WebSocketOptions, path?: string): Talk
  /** The largest first. */
  chargesOf(userId: number): Promise<number[]>
  close(): Promise<void>
}

export async function openHouse(environment: Record<string, string> = {}): Promise<House> {
  const openai = await startOpenai()
  const anthropic = await startAnthropic()
  const ending: (() => void)[] = []
  const rig = await openRig(async books => {
    await books.addChannel({
      type: 1,
      baseUrl: openai.url,
      key: openai.key,
      models: [MODEL],
      setting: { dialects: ['openai-responses'] },
    })
    await books.addChannel({ type: 14, baseUrl: anthropic.url, key: anthropic.key, models: [CONVERTED] })
    await books.setOption('SensitiveWords', 'forbidden fruit')
    await books.setOption('AnswerCacheSeconds', '600')
    await books.setOption('AnswerCacheRatio', '0.5')
  }, environment)
  return {
    rig,
    openai,
    anthropic,
    async addCaller(seed = {}, quota = 50_000_000) {
      const userId = await rig.addUser({ quota })
      return { userId, token: await rig.addToken({ ...seed, userId }) }
    },
    connect(key, options = {}, path = '/v1/responses') {
      const headers = { authorization: `Bearer ${key}`, 'accept-language': 'en' }
      const talk = new Talk(openSocket(`${rig.url.replace('http', 'ws')}${path}`, { headers, ...options }))
      ending.push(() => talk.socket.terminate())
      return talk
    },
    async chargesOf(userId) {
      const rows = await rig.store.db
        .selectFrom('ledger_entries')
        .select('user_amount')
        .where('kind', '=', 'charge')
        .where('user_id', '=', userId)
        .execute()
      return rows.map(row => -row.user_amount).sort((one, other) => other - one)
    },
    async close() {
      for (const end of ending) end()
      expect(await rig.differences()).toEqual([])
      await rig.close()
      await openai.stop()
      await anthropic.stop()
    },
  }
}

export function create(input: string, more: JsonObject = {}): JsonObject {
  return { type: 'response.create', model: MODEL, store: false, input, ...more }
}

/** Sends it when the socket is open. */
export async function send(talk: Talk, message: JsonObject | string | Uint8Array): Promise<void> {
  if (talk.socket.readyState === WebSocket.CONNECTING)
    await new Promise(resolve => talk.socket.addEventListener('open', resolve, { once: true }))
  const isWire = typeof message === 'string' || message instanceof Uint8Array
  talk.socket.send(isWire ? message : JSON.stringify(message))
}

/** The response of a turn that ends well. */
export async function ask(talk: Talk, message: JsonObject): Promise<{ id: string; response: JsonObject }> {
  await send(talk, message)
  for (let event = await talk.next(); event; event = await talk.next()) {
    if (event.type === 'error') throw new Error(JSON.stringify(event))
    if (event.type !== 'response.completed') continue
    const response = asObject(event.response) ?? {}
    return { id: asText(response.id) ?? '', response }
  }
  throw new Error('the socket was closed')
}

/** What becomes of a turn: 200, or the status of its refusal. */
export async function statusOf(talk: Talk, message: JsonObject): Promise<number> {
  await send(talk, message)
  for (let event = await talk.next(); event; event = await talk.next()) {
    if (event.type === 'error') return Number(event.status)
    if (event.type === 'response.completed') return 200
  }
  throw new Error('the socket was closed')
}

/** It is refused, and the socket is as good as before. */
export async function expectRefused(
  talk: Talk,
  message: JsonObject | string | Uint8Array,
  expected: JsonObject,
): Promise<JsonObject> {
  await send(talk, message)
  const event = await talk.next()
  expect(event).toMatchObject({ type: 'error', ...expected })
  return event ?? {}
}

export function saidIn(response: JsonObject): string {
  return JSON.stringify(response.output)
}
