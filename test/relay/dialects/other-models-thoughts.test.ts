import { afterAll, beforeAll, expect, test } from 'bun:test'
import { asArray, asObject, type Json, type JsonObject } from '../../../server/dialects/json.ts'
import { type FakeUpstream, startAnthropic } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { requestIdOf } from '../ways.ts'

// Thoughts are bound to the model that had them. Whoever changes the model goes on without them, and pays once.

const THEN = 'claude-opus-4-8'
const NOW = 'claude-opus-5-5'

let rig: Rig
let vendor: FakeUpstream
let key = ''

beforeAll(async () => {
  vendor = await startAnthropic()
  rig = await openRig(async books => {
    const userId = await books.addUser({ quota: 10_000_000 })
    key = (await books.addToken({ userId })).key
    await books.setOption('ModelRatio', JSON.stringify({ [THEN]: 1, [NOW]: 1 }))
    await books.addChannel({ type: 14, baseUrl: vendor.url, key: vendor.key, models: [THEN, NOW] })
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  await vendor.stop()
})

async function post(path: string, body: JsonObject): Promise<{ answer: JsonObject; requestId: string }> {
  const response = await fetch(rig.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = asObject((await response.json()) as Json) ?? {}
  expect([response.status, answer.error]).toEqual([200, undefined])
  return { answer, requestId: requestIdOf(response) }
}

const user = (content: string): JsonObject => ({ role: 'user', content })

/** What was asked last, and how often since. */
function asked(since: number): { times: number; text: string } {
  return { times: vendor.requests.length - since, text: vendor.requests.at(-1)?.text ?? '' }
}

test('an Anthropic client that changes the model is answered without the other’s thoughts', async () => {
  const thinking = { type: 'adaptive', display: 'summarized' }
  const first = await post('/v1/messages', { model: THEN, max_tokens: 3000, thinking, messages: [user('a')] })
  expect(JSON.stringify(first.answer.content)).toContain('"thinking"')
  const messages = [user('a'), { role: 'assistant', content: first.answer.content ?? null }, user('c')]
  const since = vendor.requests.length
  const second = await post('/v1/messages', { model: NOW, max_tokens: 3000, messages })
  const { times, text } = asked(since)
  expect(times).toBe(2)
  expect(text).not.toContain('"signature"')
  expect(await rig.chargeOf(second.requestId)).toBeGreaterThan(0)
  // The model that had them gets them back.
  await post('/v1/messages', { model: THEN, max_tokens: 3000, messages })
  expect(vendor.requests.at(-1)?.text).toContain('"signature"')
})

test('a chat client that changes the model is answered without the other’s thoughts', async () => {
  const first = await post('/v1/chat/completions', {
    ...{ model: THEN, reasoning_effort: 'high', messages: [user('a')] },
  })
  const said = asObject(asObject(asArray(first.answer.choices)[0])?.message) ?? {}
  const since = vendor.requests.length
  await post('/v1/chat/completions', { model: NOW, messages: [user('a'), said, user('c')] })
  expect(asked(since).times).toBe(2)
  expect(asked(since).text).not.toContain('"signature"')
})
