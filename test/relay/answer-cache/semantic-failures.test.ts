import { afterAll, beforeAll, expect, test } from 'bun:test'
import { atRest } from '../../at-rest.ts'
import { morePatience } from '../../more-patience.ts'
import { until } from '../../program.ts'
import type { Script } from '../../upstreams/script.ts'
import { tellMeanings } from '../../upstreams/tell-meanings.ts'
import { chat } from '../ways.ts'
import { EMBEDDER, openSemanticHouse, type SemanticHouse } from './semantic-house.ts'

// Whatever becomes of the comparison, the call itself is answered.

let house: SemanticHouse
const embedded = () => house.embedder.requests.length

beforeAll(async () => {
  // What is not told in two seconds is not waited for, and one of the models below takes longer than that.
  const patience = morePatience({ 2000: 8000 })
  house = await openSemanticHouse(books => books.setOption('DefaultModelRatio', '1'), patience)
})
afterAll(() => house.close())

/** Answered anew, and kept for who asks exactly the same. */
async function passes(text: string): Promise<void> {
  const first = await house.like(chat, text)
  expect([first.status, first.cache, first.similarity]).toEqual([200, 'miss', null])
  expect(await house.rig.chargeOf(first.requestId)).toBeGreaterThan(0)
  const again = await house.like(chat, text)
  expect([again.cache, again.similarity, again.body]).toEqual(['hit', null, first.body])
}

const vector = (embedding: unknown): Script =>
  ({
    body: { object: 'list', data: [{ object: 'embedding', index: 0, embedding }], model: 'm', usage: {} },
  }) as Script

test.each<[string, () => Script]>([
  ['fails', () => house.embedder.failWith('server-error')],
  ['refuses', () => house.embedder.failWith('bad-request')],
  ['says nothing in time', () => ({ silent: true })],
  ['says something else', () => ({ body: 'hello' })],
  ['has no vector', () => vector([])],
  ['has no direction', () => vector([0, 0, 0])],
  ['tells no numbers', () => vector(['a', null])],
])('a model that %s', async (what, script) => {
  house.embedder.next(script())
  await passes(`what if the model ${what}?`)
  // One failure is no reason to stop asking.
  await until(async () => (await house.like(chat, `is it well after it ${what}?`)).status === 200)
  const before = embedded()
  expect((await house.like(chat, `after it ${what}: is it well?`)).similarity).toBe('1')
  expect(embedded()).toBe(before + 1)
})

test('a model that nobody serves', async () => {
  await house.root.saveOption('SemanticCacheModel', 'served-by-nobody')
  await passes('what if nobody serves the model?')
  await house.root.saveOption('SemanticCacheModel', EMBEDDER)
  expect((await house.like(chat, 'if nobody serves the model what?')).cache).toBe('miss')
  expect((await house.like(chat, 'nobody serves the model if what?')).similarity).toBe('1')
})

test('who leaves while it is told is not asked for, and whoever waits for the same has it told', async () => {
  const { promise: left, resolve } = Promise.withResolvers<void>()
  house.embedder.next(async seen => {
    await left
    return tellMeanings(seen)
  })
  const leaving = new AbortController()
  const asked = embedded()
  const text = 'who leaves before it is told?'
  const call = house.like(chat, text, { signal: leaving.signal }).catch(() => 'left')
  await until(() => embedded() > asked)
  leaving.abort()
  expect(await call).toBe('left')
  const next = house.like(chat, text)
  // The program too knows that it has left.
  await atRest()
  resolve()
  expect([(await next).cache, embedded()]).toEqual(['miss', asked + 1])
  const about = house.vendorOf(chat).requests.filter(one => one.text.includes(text))
  expect(about.length).toBe(1)
})

test('a model that fails again and again is left alone for a while', async () => {
  const failing = house.embedder.failWith('server-error')
  house.embedder.always(failing)
  for (const text of ['the first of failures', 'and another failure', 'yet another of them'])
    await passes(text)
  const before = embedded()
  for (const text of ['nobody is asked about this', 'and nobody about that']) await passes(text)
  expect(embedded()).toBe(before)
  const told = await (await fetch(`${house.rig.url}/metrics`)).text()
  expect(told).toMatch(/^tollgate_relay_meanings_total[^ ]*rested[^ ]* 2$/m)
  // Its usual calls are not.
  house.embedder.always(tellMeanings)
  await house.root.saveOption('GroupRatio', '{"default":1,"inner":1}')
  await house.root.saveOption('UserUsableGroups', '{"default":"a","inner":"b"}')
  const { key } = await house.rig.addToken({ userId: house.userId, group: 'inner' })
  const usual = await until(async () => {
    const response = await fetch(`${house.rig.url}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: EMBEDDER, input: 'as any other call' }),
    })
    return response.status === 200 ? response : undefined
  })
  expect(Object.keys((await usual.json()) as object)).toContain('data')
})
