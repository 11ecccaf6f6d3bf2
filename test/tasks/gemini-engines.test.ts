import { afterAll, expect, test } from 'bun:test'
import { createPartFromUri, createUserContent } from '@google/genai'
import { lookAfterCaches } from '../../server/tasks/gemini/caches/look-after-caches.ts'
import { dropAll, engines } from '../services/databases.ts'
import { failureOf, openGeminiHouse } from './gemini-house.ts'

// What Gemini keeps, on every database.

afterAll(dropAll)

test.each(engines)('on $name: files, caches and batches, with answers that are lost', async engine => {
  const house = await openGeminiHouse({ DATABASE_URL: await engine.freshUrl() })
  const { google, upstream } = house
  const upload = () =>
    google.files.upload({ file: new Blob(['a book'], { type: 'text/plain' }), config: { name: 'book' } })
  const file = await upload()
  expect((await failureOf(upload())).status).toBe(409)
  expect((await google.files.list()).page).toHaveLength(1)
  const contents = createUserContent([createPartFromUri(file.uri ?? '', 'text/plain')])

  const create = () => google.caches.create({ model: 'g-pro', config: { contents, ttl: '600s' } })
  const { name = '' } = await create()
  await google.caches.update({ name, config: { ttl: '1200s' } })
  upstream.fail = { way: 'POST /v1beta/cachedContents', status: 500, done: true }
  expect((await failureOf(create())).status).toBe(500)
  await house.later(500, lookAfterCaches)
  expect((await google.caches.list()).page).toHaveLength(2)

  const begin = () => google.batches.create({ model: 'g-pro', src: [{ contents: [contents] }] })
  const poll = () => house.poll(600, 2)
  upstream.fail = { way: 'POST /v1beta/models', status: 500, done: true }
  expect((await failureOf(begin())).status).toBe(409)
  await begin()
  await poll()
  for (const batch of upstream.batches.all.values()) upstream.batches.end(batch, 'BATCH_STATE_SUCCEEDED', 1)
  await poll()
  const states = (await google.batches.list()).page.map(({ state }) => String(state))
  expect(states).toEqual(['JOB_STATE_SUCCEEDED', 'JOB_STATE_SUCCEEDED'])

  // The client sends eight megabytes at a time: what is kept of a line until the next of them is as long as it may be.
  const line = (length: number) =>
    JSON.stringify({ request: { contents: [{ parts: [{ text: 'x'.repeat(length) }] }] } })
  const text = [300_000, 4_100_000, 4_100_000, 4_100_000, 4_100_000].map(line).join('\n')
  const requests = await google.files.upload({ file: new Blob([text]), config: { mimeType: 'jsonl' } })
  await google.batches.create({ model: 'g-pro', src: requests.name ?? '' })
  expect(upstream.batches.last().requests).toHaveLength(5)
  upstream.batches.end(upstream.batches.last(), 'BATCH_STATE_SUCCEEDED', 5)
  await poll()
  const [last] = (await google.batches.list()).page
  expect(last?.dest?.fileName).toMatch(/^files\/[0-9a-f]{32}$/)
  expect(await house.differences()).toEqual([])
  await house.close()
})
