import { expect, test } from 'bun:test'
import type { Json, JsonObject } from '../../../server/dialects/json.ts'
import { sampleHouse } from './plain-house.ts'

const house = sampleHouse(/no such place/)

/** 10 dollars for 1,000. */
const SEARCH = 5000
const asked = (commands?: Json): JsonObject => ({
  ...{ id: '0199-thread', model: 'gpt-4o', input: 'a fox', settings: { external_web_access: true } },
  ...(commands !== undefined && { commands }),
})
const q = (text: string) => ({ q: text })

test.each([
  [undefined, 1],
  [{ search_query: [], response_length: 'long' }, 1],
  [{ search_query: [q('foxes')], response_length: 'short' }, 1],
  [{ search_query: [q('foxes'), { ...q('dens'), recency: 7, domains: ['a.example'] }] }, 2],
  [{ search_query: [q('foxes')], image_query: [q('dens')] }, 2],
  [{ open: [{ ref_id: 'turn0search0' }], time: [{ utc_offset: '+03:00' }] }, 0],
])('%j is paid as so many searches, and nothing else is', async (commands, count) => {
  const sent = asked(commands)
  const response = await house.post('/v1/alpha/search', sent)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    output: expect.stringContaining('You searched'),
    encrypted_output: 'gAAAA-sealed',
  })
  expect(house.openai.requests.at(-1)).toMatchObject({ path: '/v1/alpha/search', json: sent })
  const charged = await house.charged(response)
  // Nothing that was taken from nothing is −0.
  expect(charged || 0).toBe(count * SEARCH)
  expect(charged).toBeDefined()
})

test('what cannot be counted, or paid, is searched for by nobody', async () => {
  const many = Array.from({ length: 101 }, (_, at) => q(String(at)))
  const refusals: [JsonObject, number, string | undefined][] = [
    [asked('search'), 400, undefined],
    [asked({ search_query: q('foxes') }), 400, undefined],
    [asked({ search_query: many }), 400, undefined],
    [{ ...asked(), Commands: { search_query: many } }, 400, undefined],
    [asked({ search_query: [q('a test_sensitive fox')] }), 400, undefined],
    [asked({ search_query: [q('foxes')] }), 403, house.poor],
  ]
  const before = house.openai.requests.length
  for (const [body, status, key] of refusals) {
    const response = await house.post('/v1/alpha/search', body, key === undefined ? {} : { key })
    expect([body, response.status]).toEqual([body, status])
    expect(await house.charged(response)).toBeUndefined()
  }
  expect(house.openai.requests.length).toBe(before)
})

test('an upstream that has no such place, or answers something else, is not paid', async () => {
  for (const body of [{ detail: 'no such place' }, { output: 5 }]) {
    house.openai.next({ status: 'detail' in body ? 404 : 200, body })
    const response = await house.post('/v1/alpha/search', asked())
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(await house.charged(response)).toBeUndefined()
  }
})
