import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Json, JsonObject } from '../../server/dialects/json.ts'
import { until } from '../program.ts'
import { requestIdOf } from '../relay/ways.ts'
import { startExa } from '../upstreams/exa/start.ts'
import { startPerplexity } from '../upstreams/perplexity/start.ts'
import { FOUND } from '../upstreams/searching/found.ts'
import { startSerper } from '../upstreams/serper/start.ts'
import { startTavily } from '../upstreams/tavily/start.ts'
import { type Failure, openVendors, type VendorHouse, type VendorSetup } from './house.ts'

// Vendors who search the web, each behind the one address for it.

const failures: readonly Failure[] = [
  { kind: 'too-long', leads: 'told' },
  { kind: 'rate-limit', leads: 'retried' },
  { kind: 'server-error', leads: 'retried' },
  { kind: 'overloaded', leads: 'retried' },
  { kind: 'bad-key', leads: 'disabled' },
]
const poor: Failure = { kind: 'no-balance', leads: 'retried' }

const vendors = [
  { type: 27, start: startPerplexity, models: ['perplexity-search'], failures },
  { type: 1002, start: startTavily, models: ['tavily-search'], failures: [...failures, poor] },
  { type: 1003, start: startExa, models: ['exa-search'], failures: [...failures, poor] },
  { type: 1004, start: startSerper, models: ['serper-search'], failures: [...failures, poor] },
] satisfies readonly VendorSetup[]

let street: Awaited<ReturnType<typeof openVendors>>
beforeAll(async () => {
  street = await openVendors(vendors)
})
afterAll(() => street.close())

/** Quota for one search at its list price. */
const prices: Readonly<Record<number, number>> = { 27: 2500, 1002: 4000, 1003: 3500, 1004: 500 }

describe.each(vendors.map(({ type, models: [model], failures: all }) => ({ type, model, all })))(
  'type $type',
  ({ type, model, all }) => {
    const house = (): VendorHouse => houseOf(model ?? '')
    const search = (more: JsonObject): Promise<Response> =>
      house().post('/v1/search', { model: model ?? '', ...more })
    const paid = async (response: Response): Promise<number | undefined> =>
      house().rig.chargeOf(requestIdOf(response))

    test('tells what it has found in the same words, at its list price', async () => {
      const response = await search({ query: 'foxes', max_results: 2 })
      const { results, id } = await response.json()
      expect(results.map(({ title, url, snippet }: JsonObject) => ({ title, url, snippet }))).toEqual(
        FOUND.map(({ title, url, snippet }) => ({ title, url, snippet })),
      )
      expect(id).toBeString()
      expect(await paid(response)).toBe(prices[type])
    })

    test('nothing found is an answer, and paid', async () => {
      const empty: Json = type === 1004 ? { organic: [], credits: 1 } : { results: [] }
      house().fake.next({ status: 200, body: empty })
      const response = await search({ query: 'nothing' })
      expect([response.status, (await response.json()).results]).toEqual([200, []])
      expect(await paid(response)).toBe(prices[type])
    })

    test('what is no answer is not paid', async () => {
      house().fake.next({ status: 200, body: { message: 'hello' } })
      const response = await search({ query: 'foxes' })
      expect(response.status).toBeGreaterThanOrEqual(500)
      expect(await paid(response)).toBeUndefined()
    })

    test.each([...all])('$kind is $leads', async ({ kind, leads }) => {
      house().fake.next(house().fake.failWith(kind))
      const before = house().fake.requests.length
      const response = await house().post('/v1/search', { model: house().failing(kind), query: 'foxes' })
      if (leads === 'told') {
        expect(response.status).toBe(house().fake.failWith(kind).status ?? 0)
        return expect(house().fake.requests.length).toBe(before + 1)
      }
      expect([response.status, house().fake.requests.length]).toEqual([200, before + 2])
      if (leads === 'disabled')
        await until(async () => ((await house().statusOf(house().failing(kind))) === 3 ? true : undefined))
      else expect(await house().statusOf(house().failing(kind))).toBe(1)
    })

    test('a refusal is told in words, without its secrets', async () => {
      house().fake.next(house().fake.failTellingSecrets('bad-request'))
      const text = await (await search({ query: 'foxes' })).text()
      expect(JSON.parse(text).error.message).toBeString()
      expect(text).not.toContain(house().fake.key)
      expect(text).not.toContain(house().fake.url)
    })

    test('nothing but searches is asked of it', async () => {
      if (type === 27) return
      const before = house().fake.requests.length
      const messages = [{ role: 'user', content: 'Hi' }]
      for (const [path, body] of [
        ['/v1/chat/completions', { messages }],
        ['/v1/ocr', { document: { type: 'image_url', image_url: 'https://a.example/a.png' } }],
      ] as const)
        expect((await house().post(path, { model: model ?? '', ...body })).status).toBeGreaterThanOrEqual(400)
      expect(house().fake.requests.length).toBe(before)
    })

    test('it had nothing to complain of, and the books agree', () => house().expectOrder())
  },
)

const filters = {
  query: ['foxes'],
  max_results: 5,
  search_domain_filter: ['foxes.example', 'dens.example', '-dogs.example'],
  country: 'US',
}

test('Perplexity is sent what was sent, whatever it may be, and no model', async () => {
  const house = houseOf('perplexity-search')
  const asked = { ...filters, query: ['foxes', 'dens'], search_type: 'fast', max_tokens_per_page: 512 }
  const response = await house.post('/v1/search/perplexity-search', {
    ...asked,
    search_tool_name: 'another',
  })
  expect(house.body()).toEqual(asked)
  expect((await response.json()).results).toHaveLength(2)
})

test('a client that knows of no models has Perplexity’s', async () => {
  const house = houseOf('perplexity-search')
  expect((await house.post('/v1/search', { query: 'foxes' }))?.status).toBe(200)
  expect(house.seen().path).toBe('/search')
})

const dates = { search_after_date_filter: '1/5/2026', search_before_date_filter: '12/31/2026' }

test.each([
  [
    'tavily-search',
    { ...filters, ...dates, search_recency_filter: 'week', topic: 'news', include_answer: true },
    {
      ...{ query: 'foxes', include_usage: true, max_results: 5, country: 'united states', topic: 'news' },
      ...{ include_domains: ['foxes.example', 'dens.example'], exclude_domains: ['dogs.example'] },
      ...{ start_date: '2026-01-05', end_date: '2026-12-31', time_range: 'week' },
    },
  ],
  [
    'tavily-search',
    { query: 'foxes', country: 'tr', max_results: 50 },
    { country: 'turkey', max_results: 20 },
  ],
  [
    'exa-search',
    { ...filters, ...dates, max_results: 20, max_tokens_per_page: 100, type: 'fast' },
    {
      ...{ query: 'foxes', numResults: 10, userLocation: 'US', type: 'fast' },
      contents: { text: { maxCharacters: 400 } },
      ...{ includeDomains: ['foxes.example', 'dens.example'], excludeDomains: ['dogs.example'] },
      ...{ startPublishedDate: '2026-01-05T00:00:00.000Z', endPublishedDate: '2026-12-31T23:59:59.999Z' },
    },
  ],
  [
    'serper-search',
    { ...filters, search_recency_filter: 'month', hl: 'de' },
    {
      q: 'foxes (site:foxes.example OR site:dens.example) -site:dogs.example',
      ...{ num: 5, gl: 'us', tbs: 'qdr:m', hl: 'de' },
    },
  ],
] as const)('%s is told %j in its own words', async (model, asked, sent) => {
  const house = houseOf(model)
  const response = await house.post('/v1/search', { model, ...asked } as JsonObject)
  expect([response.status, house.body()]).toMatchObject([200, sent])
})

function houseOf(model: string): VendorHouse {
  const house = street.houses[vendors.findIndex(({ models }) => models[0] === model)]
  if (!house) throw new Error('no house')
  return house
}

test.each([
  ['tavily-search', { query: ['foxes', 'dens'] }],
  ['tavily-search', { query: 'foxes', search_language_filter: ['de'] }],
  ['tavily-search', { query: 'foxes', search_type: 'people' }],
  ['tavily-search', { query: 'foxes', country: 'Germany' }],
  ['tavily-search', { query: 'foxes', country: 'XX' }],
  ['tavily-search', { query: 'foxes', search_recency_filter: 'hour' }],
  ['exa-search', { query: 'foxes', search_recency_filter: 'week' }],
  ['exa-search', { query: 'foxes', type: 'deep' }],
  ['exa-search', { query: 'foxes', search_after_date_filter: 'yesterday' }],
  ['serper-search', { query: 'foxes', ...dates }],
  ['serper-search', { query: 'foxes', search_recency_filter: 'decade' }],
] as const)('%s is not asked %j, which it could not be told', async (model, asked) => {
  const house = houseOf(model)
  const before = house.fake.requests.length
  const response = await house.post('/v1/search', { model, ...asked } as JsonObject)
  expect([response.status, (await response.json()).error.type]).toEqual([400, 'new_api_error'])
  expect(house.fake.requests.length).toBe(before)
  expect(await house.rig.chargeOf(requestIdOf(response))).toBeUndefined()
})

test.each([
  ['tavily-search', { search_depth: 'advanced' }, 8000],
  ['tavily-search', { max_results: 15 }, 4000],
  ['serper-search', { max_results: 20 }, 1000],
  ['exa-search', { max_results: 20 }, 3500],
] as const)('%s with %j costs what its vendor takes for it', async (model, more, quota) => {
  const house = houseOf(model)
  const response = await house.post('/v1/search', { model, query: 'foxes', ...more })
  expect(response.status).toBe(200)
  expect(await house.rig.chargeOf(requestIdOf(response))).toBe(quota)
})

test('nobody is charged for more than could be asked for', async () => {
  const house = houseOf('tavily-search')
  house.fake.next({ status: 200, body: { results: [], usage: { credits: 900 } } })
  const response = await house.post('/v1/search', { model: 'tavily-search', query: 'foxes' })
  expect(await house.rig.chargeOf(requestIdOf(response))).toBe(4000)
})

test('nor for less where the vendor does not count', async () => {
  const house = houseOf('tavily-search')
  house.fake.next({ status: 200, body: { results: [] } })
  const asked = { model: 'tavily-search', query: 'foxes', search_depth: 'advanced' }
  const response = await house.post('/v1/search', asked)
  expect(await house.rig.chargeOf(requestIdOf(response))).toBe(8000)
})

test.each<JsonObject>([
  {},
  { query: '' },
  { query: ' ' },
  { query: [] },
  { query: ['foxes', ''] },
  { query: 5 },
  { query: { q: 'foxes' } },
  { query: 'foxes', max_results: 0 },
  { query: 'foxes', max_results: 2.5 },
  { query: 'foxes', max_results: '5' },
  { query: 'foxes', Search_Depth: 'advanced' },
  { query: 'foxes', search_tool_name: 'tavily-search', model: 7 },
])('%j is refused in OpenAI’s form, and nobody searches for it', async asked => {
  const { rig, fake, post } = houseOf('tavily-search')
  const before = fake.requests.length
  const response = await post('/v1/search', { model: 'tavily-search', ...asked })
  expect([response.status, Object.keys((await response.json()).error)]).toEqual([
    400,
    ['message', 'type', 'param', 'code'],
  ])
  expect(await rig.chargeOf(requestIdOf(response))).toBeUndefined()
  expect(fake.requests.length).toBe(before)
})

test('a key stands wherever it may in other calls, and has to pay for what may be asked', async () => {
  const { rig, fake, key } = houseOf('tavily-search')
  const poor = (await rig.addToken({ userId: await rig.addUser({ quota: 7999 }) })).key
  const ask = (headers: Record<string, string>, more: JsonObject = {}): Promise<Response> =>
    fetch(`${rig.url}/v1/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ search_tool_name: 'tavily-search', query: 'foxes', ...more }),
    })
  for (const name of ['x-litellm-api-key', 'x-api-key', 'api-key'])
    expect([name, (await ask({ [name]: key })).status]).toEqual([name, 200])
  const before = fake.requests.length
  expect((await ask({})).status).toBe(401)
  expect((await ask({ 'api-key': 'sk-nobody' })).status).toBe(401)
  expect((await ask({ 'api-key': poor }, { search_depth: 'advanced' })).status).toBe(403)
  expect(fake.requests.length).toBe(before)
  const one = await ask({ 'api-key': poor })
  expect([one.status, await rig.chargeOf(requestIdOf(one))]).toEqual([200, 4000])
  expect((await ask({ 'api-key': poor })).status).toBe(403)
})

test('where one vendor cannot be told a search, another has it', async () => {
  const [tavily, perplexity] = [houseOf('tavily-search'), houseOf('perplexity-search')]
  const both = { models: ['any-search'] }
  await tavily.rig.addChannel({
    type: 1002,
    baseUrl: tavily.fake.url,
    key: tavily.fake.key,
    priority: 5,
    ...both,
  })
  await tavily.rig.addChannel({ type: 27, baseUrl: perplexity.fake.url, key: perplexity.fake.key, ...both })
  const before = tavily.fake.requests.length
  await until(async () => {
    const response = await tavily.post('/v1/search/any-search', { query: ['foxes', 'dens'] })
    return response.ok ? true : undefined
  })
  expect([tavily.fake.requests.length, perplexity.seen().path]).toEqual([before, '/search'])
})
