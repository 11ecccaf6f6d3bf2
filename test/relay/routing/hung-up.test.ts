import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { JsonObject } from '../../../server/dialects/json.ts'
import { type FakeUpstream, type Script, startOpenai } from '../../upstreams/index.ts'
import { startImpatient } from '../../upstreams/start-impatient.ts'
import { openRig, type Rig } from '../rig.ts'
import { ask, chat, requestIdOf, responses } from '../ways.ts'

/** As after an answer, when nothing was asked for so long that the vendor closes the connection. */
const hangUp: Script = { hangsUp: true }

/** A service that judges texts, and allows all of them. */
const judge = { asked: 0, hangsUp: false }
const judging = createServer(socket => {
  socket.on('error', () => {})
  socket.on('data', () => {
    judge.asked++
    if (judge.hangsUp) socket.end()
    else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 18\r\n\r\n{"action":"allow"}')
    judge.hangsUp = false
  })
})
const ruleAt = (port: number) => ({
  ...{ name: 'judged', enabled: true, where: ['input'], groups: [], models: ['m-judged'], action: 'block' },
  looks: { by: 'webhook', url: `http://127.0.0.1:${port}/`, seconds: 30, otherwise: 'block' },
})

let rig: Rig
let fake: FakeUpstream
let impatient: Awaited<ReturnType<typeof startImpatient>>
let key = ''

beforeAll(async () => {
  fake = await startOpenai()
  impatient = await startImpatient(fake.url)
  await once(judging.listen(0, '127.0.0.1'), 'listening')
  const { port } = judging.address() as AddressInfo
  rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    await books.setOption('DefaultModelRatio', '1')
    await books.setOption('Guards', JSON.stringify([ruleAt(port)]))
    const models = [chat.model, 'text-embedding-3-small', 'whisper-1', 'm-judged']
    await books.addChannel({ type: 1, baseUrl: fake.url, key: fake.key, models })
    await books.addChannel({ type: 1, baseUrl: impatient.url, key: fake.key, models: ['gpt-hasty'] })
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  expect(fake.complaints).toEqual([])
  await rig.close()
  await impatient.stop()
  await fake.stop()
  judging.close()
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
const transcribe = (): Promise<Response> => {
  const form = new FormData()
  form.set('model', 'whisper-1')
  form.set('file', new File([new Uint8Array(5000)], 'a.mp3'))
  const headers = { authorization: `Bearer ${key}` }
  return fetch(`${rig.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form })
}
const calls: [string, () => Promise<Response>][] = [
  ['a whole answer', () => ask(rig.url, chat, { key })],
  ['a stream', () => ask(rig.url, chat, { key, stream: true })],
  ['an embedding', embed],
  ['a transcript', transcribe],
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

  test('does not keep a rule of the operator’s own from judging', async () => {
    const judged = () => ask(rig.url, chat, { key, model: 'm-judged' })
    expect((await heard(judged, [])).status).toBe(200)
    const before = judge.asked
    judge.hangsUp = true
    expect((await heard(judged, [])).status).toBe(200)
    expect([judge.asked - before, judge.hangsUp]).toEqual([2, false])
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

  test('is asked for that over a connection of its own', async () => {
    const say = async (more: JsonObject = {}) => {
      const answer = await ask(rig.url, responses, { key, model: 'gpt-hasty', more })
      return { status: answer.status, id: (await answer.json()).id }
    }
    expect((await say()).status).toBe(200)
    const begun = [await say({ background: true, store: true }), await say({ background: true, store: true })]
    expect(begun.map(({ status }) => status)).toEqual([200, 200])
    expect(impatient.refused).toBe(0)
    // What is done to them later goes over the one that was kept, and over a new one where that is closed.
    for (const { id } of begun) {
      const headers = { authorization: `Bearer ${key}` }
      const ended = await fetch(`${rig.url}/v1/responses/${id}/cancel`, { method: 'POST', headers })
      expect([ended.status, (await ended.json()).status]).toEqual([200, 'cancelled'])
    }
    expect(impatient.refused).toBeGreaterThan(0)
  })
})
