import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { HttpOptions } from '@google/genai'
import { sql } from 'kysely'
import { USED } from '../upstreams/gemini-kept/fake-batches.ts'
import { failureOf, type GeminiHouse, openGeminiHouse } from './gemini-house.ts'

// Batches of Gemini's of which nobody knows whether they have begun, and clients that try again by themselves.

let house: GeminiHouse
beforeAll(async () => {
  house = await openGeminiHouse()
})
afterAll(async () => {
  expect(house.upstream.complaints).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
})

/** At a ratio of 2, a quarter of that from a cache and four times as much for output; half of all that in a batch. */
const EACH = (2 * (USED.prompt - USED.cached + USED.cached / 4 + 4 * (USED.thoughts + USED.output))) / 2

const httpOptions: HttpOptions = { retryOptions: { attempts: 3, initialDelay: 0.01 } }

async function loseOne(lose: () => Promise<() => Promise<unknown>>): Promise<void> {
  const { userId, google } = await house.newcomer()
  const before = await house.balance(userId)
  const begun = house.upstream.batches.all.size
  const src = [{ contents: 'say', config: { maxOutputTokens: 50 } }]
  const giveBack = await lose()
  try {
    // No status that Google's client takes for one to try again after.
    expect(await failureOf(google.batches.create({ model: 'g-pro', src, config: { httpOptions } }))).toEqual({
      status: 409,
      message: expect.stringContaining('"ABORTED"'),
    })
  } finally {
    await giveBack()
  }
  expect(house.upstream.batches.all.size).toBe(begun + 1)
  await house.poll(600, 2)
  house.upstream.batches.end(house.upstream.batches.last(), 'BATCH_STATE_SUCCEEDED', 1)
  await house.poll(600, 2)
  expect((await google.batches.list()).page).toHaveLength(1)
  expect(before - (await house.balance(userId))).toBe(EACH)
}

test('one whose answer was lost is not begun twice, but found and paid', () =>
  loseOne(async () => {
    house.upstream.fail = { way: 'POST /v1beta/models', status: 500, done: true }
    return async () => {}
  }))

test('one that could not be written down any more is not begun twice, but found and paid', () =>
  loseOne(async () => {
    const { db } = house.store
    await sql`create trigger unwritable before update on batches when new.upstream_id <> ''
      begin select raise(abort, 'no'); end`.execute(db)
    return () => sql`drop trigger unwritable`.execute(db)
  }))
