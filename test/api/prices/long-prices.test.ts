// What others ask for long input, as their lists have it.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { ComparedModel } from '../../../contract/price-sources.ts'
import type { Client } from '../../client.ts'
import { type OpenProgram, openProgram } from '../../open-program.ts'
import { PricePublisher } from '../../price-publisher.ts'

let house: OpenProgram
let root: Client
const publisher = new PricePublisher()
const longOptions = ['LongInputRatio', 'LongOutputRatio', 'LongInputFrom']

beforeAll(async () => {
  house = await openProgram()
  root = house.root
  const channel = { type: 1, name: 'reseller', key: 'k', base_url: `${publisher.url}/v1`, group: 'default' }
  expect((await root.post('/api/channel/', { ...channel, models: 'house-70b' })).json.success).toBe(true)
})
afterAll(async () => {
  await house.close()
  await publisher.close()
})
beforeEach(async () => {
  publisher.pages = {}
  for (const key of ['ModelRatio', 'CompletionRatio', ...longOptions]) await root.saveOption(key, '{}')
})

interface Comparison {
  form: string
  left_out: number
  models: ComparedModel[]
}

async function compare(body: object): Promise<Comparison> {
  const { json } = await root.post('/api/ratio_sync/fetch', body)
  if (!json.success) throw new Error(json.message)
  expect(publisher.complaints).toEqual([])
  return json.data
}
const theirs = ({ models }: Comparison) => Object.fromEntries(models.map(each => [each.model, each.theirs]))
const take = async (models: object[]) => (await root.post('/api/ratio_sync/apply', { models })).json
function stored(key: string): Record<string, number> {
  const row = house.database.query('select value from options where key = ?').get(key)
  return JSON.parse((row as { value: string }).value)
}
const inForce = async (model: string) =>
  (await root.get('/api/pricing')).json.data.find((row: { model_name: string }) => row.model_name === model)

const usual = { model_ratio: 2, completion_ratio: 5 }
const tier = { long_input_ratio: 2, long_output_ratio: 1.5, long_input_from: 272_000 }
const at = (long_input_from: number) => ({ ...usual, ...tier, long_input_from })

test('is read from LiteLLM’s list, whose fields have the length in their names', async () => {
  const entry = { litellm_provider: 'x', input_cost_per_token: 4e-6, output_cost_per_token: 2e-5 }
  const above = (thousands: number, suffix = '') => ({
    [`input_cost_per_token_above_${thousands}k_tokens${suffix}`]: 8e-6,
    [`output_cost_per_token_above_${thousands}k_tokens${suffix}`]: 3e-5,
  })
  publisher.pages['/prices.json'] = {
    at200: { ...entry, ...above(200), cache_read_input_token_cost_above_200k_tokens: 8e-7 },
    at272: { ...entry, ...above(272), ...above(272, '_priority'), ...above(272, '_flex') },
    // Others' services, an hour in the cache, several steps and empty fields say nothing of it.
    usual1: { ...entry, ...above(272, '_priority'), cache_creation_input_token_cost_above_1hr: 1e-5 },
    usual2: { ...entry, ...above(128), ...above(256) },
    usual3: { ...entry, input_cost_per_token_above_128k_tokens: null },
    usual4: { ...entry, input_cost_per_token_above_128k_tokens: 4e-6 },
    onlyInput: { ...entry, input_cost_per_token_above_200k_tokens: 8e-6 },
    absurd: { ...entry, ...above(0) },
    broken: { ...entry, input_cost_per_token_above_200k_tokens: 'much' },
  }
  const found = await compare({ url: `${publisher.url}/prices.json` })
  expect([found.form, found.left_out]).toEqual(['litellm', 2])
  expect(theirs(found)).toEqual({
    ...{ at200: at(200_000), at272: at(272_000) },
    ...{ usual1: usual, usual2: usual, usual3: usual, usual4: usual },
    onlyInput: { ...at(200_000), long_output_ratio: 1 },
  })
})

test('is read from models.dev, whose tiers go before the older field', async () => {
  const cost = { input: 4, output: 20 }
  const long = { input: 8, output: 30 }
  const inTier = (size: number, type = 'context') => ({ ...long, tier: { type, size } })
  publisher.pages['/api.json'] = {
    reseller: {
      models: {
        older: { cost: { ...cost, context_over_200k: { ...long, cache_read: 0.8 } } },
        both: { cost: { ...cost, tiers: [inTier(272_000)], context_over_200k: long } },
        several: { cost: { ...cost, tiers: [inTier(32_000), inTier(128_000)] } },
        otherwise: { cost: { ...cost, tiers: [inTier(272_000, 'hour')] } },
        none: { cost: { ...cost, tiers: [], context_over_200k: null } },
      },
    },
  }
  expect(theirs(await compare({ url: `${publisher.url}/api.json` }))).toEqual({
    ...{ older: at(200_000), both: at(272_000) },
    ...{ several: usual, otherwise: usual, none: usual },
  })
})

test('is read from OpenRouter, but not what a time of day costs', async () => {
  const model = (id: string, ...overrides: object[]) => ({
    ...{ id, pricing: { prompt: '0.000004', completion: '0.00002', overrides } },
  })
  const long = { min_prompt_tokens: 272_000, prompt: '0.000008', completion: '0.00003' }
  publisher.pages['/api/v1/models'] = {
    data: [
      model('long', { ...long, input_cache_read: '0.0000008' }),
      model('several', long, { ...long, min_prompt_tokens: 512_000 }),
      model('at-night', { ...long, utc_start: 1630, utc_end: 30 }),
      model('never'),
    ],
  }
  expect(theirs(await compare({ url: `${publisher.url}/api/v1/models` }))).toEqual({
    ...{ long: at(272_000), several: usual, 'at-night': usual, never: usual },
  })
})

test('is read from another Tollgate, by either of its lists, and taken over it is charged here too', async () => {
  const data = {
    model_ratio: { 'house-70b': 2, plain: 1, 'only-output': 1, 'by-default': 1 },
    completion_ratio: { 'house-70b': 5 },
    long_input_ratio: { 'house-70b': 2, plain: 1, 'by-default': 2 },
    long_output_ratio: { 'house-70b': 1.5, 'only-output': 3 },
    long_input_from: { 'house-70b': 272_000, plain: 100_000 },
  }
  publisher.pages['/api/ratio_config'] = { success: true, message: '', data }
  const found = await compare({ url: publisher.url })
  expect(theirs(found)).toEqual({
    'house-70b': at(272_000),
    plain: { model_ratio: 1 },
    'only-output': {
      ...{ model_ratio: 1, long_input_ratio: 1 },
      long_output_ratio: 3,
      long_input_from: 200_000,
    },
    'by-default': {
      ...{ model_ratio: 1, long_input_ratio: 2 },
      long_output_ratio: 2,
      long_input_from: 200_000,
    },
  })
  const row = found.models.find(({ model }) => model === 'house-70b')
  expect(await take([row as object])).toMatchObject({ success: true })
  expect(longOptions.map(stored)).toEqual([
    ...[{ 'house-70b': 2 }, { 'house-70b': 1.5 }, { 'house-70b': 272_000 }],
  ])
  expect(await inForce('house-70b')).toMatchObject({
    ...{ model_ratio: 2, completion_ratio: 5 },
    long_input: { over: 272_000, model_ratio: 4, completion_ratio: 3.75 },
  })
  // What is told on its price page is the same price, and only a difference is shown.
  const page = (await root.get('/api/pricing')).json
  publisher.pages = { '/api/pricing': page }
  expect(theirs(await compare({ url: publisher.url }))).toEqual({})
  const own = { ...usual, cache_ratio: 1, create_cache_ratio: 1, ...tier }
  for (const [map, figure] of [
    ['LongInputRatio', 3],
    ['LongInputFrom', 200_000],
  ] as const) {
    await root.saveOption(map, JSON.stringify({ 'house-70b': figure }))
    const [changed] = (await compare({ url: publisher.url })).models
    const field = map === 'LongInputRatio' ? 'long_input_ratio' : 'long_input_from'
    expect(changed).toMatchObject({ own: { ...own, [field]: figure }, theirs: at(272_000) })
    expect(await take([changed as object])).toMatchObject({ success: true })
    expect(theirs(await compare({ url: publisher.url }))).toEqual({})
  }
})

test('stays as it is where a list says nothing of it, and is saved whole or not at all', async () => {
  await root.saveOption('ModelRatio', '{"house-70b": 2}')
  await root.saveOption('LongInputRatio', '{"house-70b": 3}')
  publisher.pages['/api/ratio_config'] = { success: true, data: { model_ratio: { 'house-70b': 4 } } }
  const [row] = (await compare({ url: publisher.url })).models
  expect(row?.own).toMatchObject({ long_input_ratio: 3, long_output_ratio: 3, long_input_from: 200_000 })
  expect(await take([row as object])).toMatchObject({ success: true })
  expect(await inForce('house-70b')).toMatchObject({
    ...{ model_ratio: 4, long_input: { over: 200_000, model_ratio: 12 } },
  })
  for (const part of [
    { long_input_ratio: 2 },
    { long_input_from: 272_000 },
    { ...tier, long_input_from: 1.5 },
    { ...tier, long_input_from: 272_000.5 },
    { ...tier, long_output_ratio: 5000 },
  ])
    expect(
      await take([{ model: 'brand-new', own: null, theirs: { model_ratio: 1, ...part } }]),
    ).toMatchObject({
      success: false,
    })
  expect(stored('LongInputRatio')).toEqual({ 'house-70b': 3 })
})
