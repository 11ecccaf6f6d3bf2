import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type FakeUpstream, type Script, startOpenai } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { ask, chat, requestIdOf, responses } from '../ways.ts'

/** As after an answer, when nothing was asked for so long that the vendor closes the connection. */
const hangUp: Script = { hangsUp: true }

let rig: Rig
let fake: FakeUpstream
let key = ''

beforeAll(async () => {
  fake = await startOpenai()
  rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    await books.setOption('DefaultModelRatio', '1')
    const models = [chat.model, 'text-embedding-3-small']
    await books.addChannel({ type: 1, baseUrl: fake.url, key: fake.key, models })
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  expect(fake.complaints).toEqual([])
  await rig.close()
  await fake.stop()
})

/** How often the vendor was asked, and what came of it. */
async function heard(call: () => Promise<Response>, scripts: readonly Script[]) {
  const before = fake.requests.length
  for (const script of scripts) fake.next(script)
  const response = await call()
  const text = await response.text()
  const requestId = requestIdOf(response)
  const asked = fake.requests.length - before
  return { status: response.status, text, requestId, asked, charge: await rig.chargeOf(requestId) }
}

const embed = (): Promise<Response> =>
  fetch(`${rig.url}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'text-embedding-3-small', input: 'good morning' }),
  })
const calls: [string, () => Promise<Response>][] = [
  ['a whole answer', () => ask(rig.url, chat, { key })],
  ['a stream', () => ask(rig.url, chat, { key, stream: true })],
  ['an embedding', embed],
]

describe('a vendor that closes its connection at the moment of a request', () => {
  test.each(calls)('is asked for %s over a new one, and paid once', async (_name, call) => {
    const usual = await heard(call, [])
    expect(usual.charge).toBeGreaterThan(0)
    for (const script of [hangUp, { ...hangUp, reset: true } as const]) {
      const again = await heard(call, [script])
      expect([again.status, again.asked, again.charge]).toEqual([200, 2, usual.charge])
    }
  })

  test('is not held against its channel', async () => {
    for (let at = 0; at < 10; at++) {
      const { status, asked } = await heard(() => ask(rig.url, chat, { key }), [hangUp])
      expect([status, asked]).toEqual([200, 2])
    }
    expect(rig.program.output()).not.toContain('is left alone')
  })

  test('is asked no third time, and nothing is paid', async () => {
    const refused = await heard(() => ask(rig.url, chat, { key }), [hangUp, hangUp])
    expect([refused.status, refused.asked, refused.charge]).toEqual([502, 2, undefined])
    expect((await rig.logOf(refused.requestId)).type).toBe(5)
  })

  test('is not asked again for what must not be begun twice', async () => {
    const background = () => ask(rig.url, responses, { key, more: { background: true, store: true } })
    const refused = await heard(background, [hangUp])
    expect([refused.status, refused.asked, refused.charge]).toEqual([502, 1, undefined])
  })
})
