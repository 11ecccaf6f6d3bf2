import { afterAll, beforeAll, expect, test } from 'bun:test'
import OpenAI from 'openai'
import { OpenAIRealtimeWebSocket } from 'openai/realtime/websocket'
import type { RealtimeServerEvent } from 'openai/resources/realtime/realtime'
import { until } from '../program.ts'
import { expectOrder, type House, openHouse } from './house.ts'

const MODEL = 'gpt-realtime'
const Native = globalThis.WebSocket
const rule = { enabled: true, where: ['input'], groups: [], models: [] }
const RULES = [{ ...rule, name: 'people', looks: { by: 'kinds', kinds: ['email'] }, action: 'mask' }]

/** The SDK insists on TLS, which ends before the gateway. */
class WithoutTls extends Native {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(String(url).replace(/^wss:/, 'ws:'), protocols)
  }
}

let house: House
beforeAll(async () => {
  house = await openHouse({
    more: { 'openai-chat': [MODEL] },
    settings: { Guards: JSON.stringify(RULES) },
  })
  globalThis.WebSocket = WithoutTls
})
afterAll(async () => {
  globalThis.WebSocket = Native
  await house.close()
})

function connect(apiKey: string): OpenAIRealtimeWebSocket {
  const client = new OpenAI({ apiKey, baseURL: `${house.rig.url}/v1` })
  return new OpenAIRealtimeWebSocket({ model: MODEL }, client)
}

test('a conversation, paid for turn by turn', async () => {
  const before = await house.rig.balance(house.userId)
  const realtime = connect(house.key)
  const failed: unknown[] = []
  realtime.on('error', error => failed.push(error))
  const next = <Type extends RealtimeServerEvent['type']>(type: Type) =>
    new Promise<Extract<RealtimeServerEvent, { type: Type }>>(resolve => {
      const listener = (event: RealtimeServerEvent) => {
        if (event.type === type) resolve(event as Extract<RealtimeServerEvent, { type: Type }>)
      }
      realtime.on('event', listener)
    })
  await next('session.created')
  let heard = ''
  for (const text of ['Good morning', 'And this is cached']) {
    heard += text
    const done = next('response.done')
    realtime.send({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
    })
    realtime.send({ type: 'response.create' })
    const { response } = await done
    expect(JSON.stringify(response.output)).toContain(`You said: ${heard}`)
  }
  realtime.close()
  expect(failed).toEqual([])

  // A token per four characters of all that was heard so far, 7 around them; half of it cached if it says so.
  const turns = [
    { input: 10, output: 6 },
    { input: 8, cacheRead: 7, output: 10 },
  ]
  const sum = turns.reduce((so, turn) => ({
    input: so.input + turn.input,
    cacheRead: (so.cacheRead ?? 0) + (turn.cacheRead ?? 0),
    output: so.output + turn.output,
  }))
  const paid = await until(async () => before - (await settledBalance()))
  expect(paid).toBe(house.cost(MODEL, sum))
})

/** What is left once nothing is held any more. */
async function settledBalance(): Promise<number> {
  await house.rig.differences()
  return house.rig.balance(house.userId)
}

test('what a rule masks reaches neither the vendor nor what it repeats', async () => {
  const realtime = connect(house.key)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  realtime.on('error', reject)
  realtime.on('response.done', ({ response }) => resolve(JSON.stringify(response.output)))
  realtime.on('session.created', () => {
    const content = [{ type: 'input_text' as const, text: 'Write to ada@example.com' }]
    realtime.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } })
    realtime.send({ type: 'response.create' })
  })
  expect(await promise).toContain('You said: Write to [email]')
  realtime.close()
  await settledBalance()
})

test('a key that is none', async () => {
  const realtime = connect('sk-0123456789abcdef0123456789abcdef')
  const { promise, resolve } = Promise.withResolvers<string>()
  realtime.on('error', error => resolve(error.message))
  realtime.socket.addEventListener('open', () => resolve('opened'))
  expect(await promise).not.toBe('opened')
})

test('no vendor had to complain, and the books agree', () => expectOrder(house))
