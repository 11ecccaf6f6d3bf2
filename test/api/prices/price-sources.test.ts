import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { ComparedModel } from '../../../contract/price-sources.ts'
import type { Client } from '../../client.ts'
import { type OpenProgram, openProgram } from '../../open-program.ts'
import { PricePublisher } from '../../price-publisher.ts'
import { freePort } from '../../services/free-port.ts'

let house: OpenProgram
let root: Client
const publisher = new PricePublisher()

beforeAll(async () => {
  house = await openProgram()
  root = house.root
  const added = await root.post('/api/channel/', {
    ...{ type: 1, name: 'reseller', key: 'sk-of-the-reseller', base_url: `${publisher.url}/v1` },
    ...{ models: 'gpt-4o,gpt-4o-mini,deepseek-chat,claude-sonnet-4-6,dall-e-3,house-70b', group: 'default' },
  })
  expect(added.json.success).toBe(true)
})
afterAll(async () => {
  await house.close()
  await publisher.close()
})
beforeEach(async () => {
  publisher.pages = {}
  publisher.asked.length = 0
  for (const key of options) await root.saveOption(key, '{}')
})

const options = ['ModelRatio', 'CompletionRatio', 'CacheRatio', 'CreateCacheRatio', 'ModelPrice']

interface Comparison {
  form: string
  listed: number
  left_out: number
  models: ComparedModel[]
}

const english = { 'accept-language': 'en' }
const ask = async (body: object) => (await root.post('/api/ratio_sync/fetch', body, english)).json
async function compare(body: object): Promise<Comparison> {
  const json = await ask(body)
  if (!json.success) throw new Error(json.message)
  expect(publisher.complaints).toEqual([])
  return json.data
}
const why = async (body: object): Promise<string> => (await ask(body)).message
const failed = (detail: string) => `The prices could not be read: ${detail}`
const theirs = ({ models }: Comparison) => Object.fromEntries(models.map(each => [each.model, each.theirs]))
const take = async (models: object[], more: object = {}) =>
  (await root.post('/api/ratio_sync/apply', { models, ...more }, english)).json
async function stored(key: string): Promise<Record<string, number>> {
  const row = house.database.query('select value from options where key = ?').get(key)
  return JSON.parse((row as { value: string }).value)
}
const inForce = async (model: string) =>
  (await root.get('/api/pricing')).json.data.find((row: { model_name: string }) => row.model_name === model)

describe('what is published', () => {
  test('by a gateway as ratios is compared with what is in force; nobody’s key goes there', async () => {
    publisher.pages['/api/ratio_config'] = {
      success: true,
      message: '',
      data: {
        model_ratio: { 'gpt-4o': 1.25, 'gpt-4o-mini': 0.1, 'house-70b': 0.5, unserved: 3, 'dall-e-3': 16 },
        completion_ratio: { 'gpt-4o': 4, 'gpt-4o-mini': 4, 'house-70b': 3.5 },
        cache_ratio: { 'gpt-4o': 0.5, 'gpt-4o-mini': 0.5 },
        create_cache_ratio: { 'house-70b': 1.25 },
        model_price: { 'dall-e-3': 0.05 },
      },
    }
    const [channel] = (await root.get('/api/ratio_sync/channels')).json.data
    expect(channel).toEqual({ id: expect.any(Number), name: 'reseller', base_url: publisher.url })
    const found = await compare({ channel_id: channel.id })
    expect(publisher.asked).toEqual(['/api/ratio_config'])
    expect(found).toEqual({
      form: 'ratio_config',
      listed: 5,
      left_out: 0,
      models: [
        // What has no price at all comes first; gpt-4o costs the same and is not told of.
        {
          model: 'house-70b',
          served: true,
          own: null,
          theirs: { model_ratio: 0.5, completion_ratio: 3.5, create_cache_ratio: 1.25 },
        },
        { model: 'dall-e-3', served: true, own: { model_price: 0.04 }, theirs: { model_price: 0.05 } },
        {
          model: 'gpt-4o-mini',
          served: true,
          own: {
            ...{ model_ratio: 0.075, completion_ratio: 4, cache_ratio: 0.5 },
            create_cache_ratio: expect.any(Number),
          },
          theirs: { model_ratio: 0.1, completion_ratio: 4, cache_ratio: 0.5 },
        },
        { model: 'unserved', served: false, own: null, theirs: { model_ratio: 3 } },
      ],
    })
  })

  test('by a gateway that does not tell ratios is read from its price page, also where it answers with HTML', async () => {
    publisher.pages['/api/pricing'] = {
      success: true,
      data: [
        { model_name: 'gpt-4o', quota_type: 0, model_ratio: 2, model_price: 0, completion_ratio: 4 },
        { model_name: 'dall-e-3', quota_type: 1, model_ratio: 0, model_price: 0.08, completion_ratio: 0 },
        { model_name: 'by-formula', quota_type: 0, model_ratio: 2, billing_mode: 'tiered_expr' },
        { model_name: 'of-a-new-kind', quota_type: 7, model_ratio: 2 },
        { model_name: 'gpt-4o-mini', quota_type: 0, model_ratio: 5 },
        { model_name: 'gpt-4o-mini', quota_type: 0, model_ratio: 6 },
      ],
    }
    const expected = {
      'gpt-4o': { model_ratio: 2, completion_ratio: 4 },
      'dall-e-3': { model_price: 0.08 },
    }
    const found = await compare({ url: `${publisher.url}/` })
    expect(publisher.asked).toEqual(['/api/ratio_config', '/api/pricing'])
    expect([found.form, found.listed, found.left_out]).toEqual(['pricing', 2, 3])
    expect(theirs(found)).toEqual(expected)
    publisher.pages['/api/ratio_config'] = '<!doctype html><title>a console</title>'
    expect(theirs(await compare({ url: `${publisher.url}/v1/` }))).toEqual(expected)
    // Somebody who names the page means that page.
    publisher.asked.length = 0
    expect(theirs(await compare({ url: `${publisher.url}/api/pricing` }))).toEqual(expected)
    expect(publisher.asked).toEqual(['/api/pricing'])
  })

  test('in LiteLLM’s list is exact to the last digit, and a maker’s own entry counts for the bare name', async () => {
    publisher.pages['/prices.json'] = {
      sample_spec: { litellm_provider: 'one of them', input_cost_per_token: 0.00001 },
      'gpt-4o': {
        litellm_provider: 'openai',
        ...{ input_cost_per_token: 3e-7, output_cost_per_token: 1e-6 },
        ...{ cache_read_input_token_cost: 7.5e-8, cache_creation_input_token_cost: 3.75e-7 },
      },
      'azure/gpt-4o': { litellm_provider: 'azure', input_cost_per_token: 9e-6, output_cost_per_token: 9e-6 },
      'deepseek/deepseek-chat': {
        ...{ litellm_provider: 'deepseek', input_cost_per_token: 5e-7, output_cost_per_token: 7.5e-7 },
      },
      'azure/claude-sonnet-4-6': { litellm_provider: 'azure', input_cost_per_token: 9e-6 },
      'with-a-fee': { litellm_provider: 'x', input_cost_per_token: 1e-6, input_cost_per_request: 0.005 },
      'free-or-unknown': { litellm_provider: 'x', input_cost_per_token: 0, output_cost_per_token: 0 },
      'mistral/mistral-ocr-9': { litellm_provider: 'mistral', mode: 'ocr', ocr_cost_per_page: 0.006 },
      'dall-e-3': { litellm_provider: 'openai', input_cost_per_image: 0.04, mode: 'image_generation' },
    }
    const found = await compare({ url: `${publisher.url}/prices.json` })
    expect([found.form, found.listed, found.left_out]).toEqual(['litellm', 7, 3])
    expect(theirs(found)).toEqual({
      'gpt-4o': {
        ...{ model_ratio: 0.15, completion_ratio: 10 / 3, cache_ratio: 0.25, create_cache_ratio: 1.25 },
      },
      'azure/gpt-4o': { model_ratio: 4.5, completion_ratio: 1 },
      'deepseek/deepseek-chat': { model_ratio: 0.25, completion_ratio: 1.5 },
      'deepseek-chat': { model_ratio: 0.25, completion_ratio: 1.5 },
      'azure/claude-sonnet-4-6': { model_ratio: 4.5 },
      'mistral/mistral-ocr-9': { model_price: 0.006 },
      'mistral-ocr-9': { model_price: 0.006 },
    })
  })

  test('on models.dev counts at the maker’s, or where all sellers agree', async () => {
    const cost = (input: number, output: number) => ({ cost: { input, output } })
    publisher.pages['/api.json'] = {
      openai: {
        id: 'openai',
        models: { 'gpt-4o': { id: 'gpt-4o', cost: { input: 2, output: 8, cache_read: 0.5 } } },
      },
      reseller: {
        models: { 'gpt-4o': cost(9, 9), 'house-70b': cost(1, 2), 'llama-x': cost(1, 2), 'no-cost': {} },
      },
      another: { models: { 'house-70b': cost(1, 2), 'llama-x': cost(1, 3) } },
    }
    const found = await compare({ url: `${publisher.url}/api.json` })
    expect([found.form, found.listed, found.left_out]).toEqual(['models.dev', 2, 2])
    expect(theirs(found)).toEqual({
      'gpt-4o': { model_ratio: 1, completion_ratio: 4, cache_ratio: 0.25 },
      'house-70b': { model_ratio: 0.5, completion_ratio: 2 },
    })
  })

  test('by OpenRouter goes by its own names and by the models’', async () => {
    publisher.pages['/api/v1/models'] = {
      data: [
        { id: 'openai/gpt-4o', pricing: { prompt: '0.000003', completion: '0.000012', request: '0' } },
        {
          id: 'anthropic/claude-sonnet-4-6',
          pricing: { prompt: '0.0000031', input_cache_read: '0.00000031' },
        },
        { id: 'openrouter/auto', pricing: { prompt: '-1', completion: '-1' } },
        { id: 'perplexity/sonar', pricing: { prompt: '0.000001', completion: '0.000001', request: '0.005' } },
        { id: 'x/free', pricing: { prompt: '0', completion: '0' } },
      ],
    }
    const found = await compare({ url: `${publisher.url}/api/v1/models` })
    expect(found.form).toBe('openrouter')
    const [gpt, claude] = [
      { model_ratio: 1.5, completion_ratio: 4 },
      { model_ratio: 1.55, cache_ratio: 0.1 },
    ]
    expect(theirs(found)).toEqual({
      ...{ 'openai/gpt-4o': gpt, 'gpt-4o': gpt },
      ...{ 'anthropic/claude-sonnet-4-6': claude, 'claude-sonnet-4-6': claude },
    })
  })
})

test('channels that may lead to a gateway are told, each address once; each is asked by its own proxy', async () => {
  const add = async (name: string, type: number, base_url: string, setting = {}): Promise<void> => {
    const { json } = await root.post('/api/channel/', {
      ...{ name, type, base_url, key: 'k', models: 'm', group: 'default', setting: JSON.stringify(setting) },
    })
    expect([name, json.success]).toEqual([name, true])
  }
  await add('the vendor itself', 1, '')
  await add('also', 1, 'https://api.openai.com')
  await add('other software', 4, 'http://ollama.example:11434')
  await add('the same again', 8, `${publisher.url}/v1/chat/completions`)
  await add('below a path', 14, 'https://gate.example/llm', { proxy: 'http://127.0.0.1:1' })
  const { data } = (await root.get('/api/ratio_sync/channels')).json
  expect(data).toEqual([
    { id: expect.any(Number), name: 'reseller', base_url: publisher.url },
    { id: expect.any(Number), name: 'below a path', base_url: 'https://gate.example/llm' },
  ])
  expect(await why({ channel_id: data[1].id })).toBe(failed('The connection could not be made'))
  const vendor = house.database.query("select id from channels where name = 'also'").get() as { id: number }
  expect(await why({ channel_id: vendor.id })).toBe('This channel has no address of its own')
})

describe('what cannot be a price', () => {
  test('is none: below nothing, absurd, no number, under a name that is none', async () => {
    publisher.pages['/api/ratio_config'] = `{"data": {
      "model_ratio": {"a": -1, "b": 1e300, "c": "NaN", "d": null, "e": {}, "f": 1e-300, "g": "1e999", "h": 0, "i": 99999,
        "ok": 2, "j": 2, "k": 2, "__proto__": 7, "": 7, "x,y": 7, "new\\nline": 7, " padded": 7, "${'n'.repeat(300)}": 7},
      "completion_ratio": {"j": -4, "k": "1,5", "ok": 0, "constructor": 1},
      "cache_ratio": [1, 2]}}`.replace('"cache_ratio": [1, 2]', '"cache_ratio": {"ok": 0.5}')
    const found = await compare({ url: publisher.url })
    expect(theirs(found)).toEqual({ ok: { model_ratio: 2, cache_ratio: 0.5 } })
    expect([found.listed, found.left_out]).toEqual([1, 11])
  })

  test('and a source that gives none says why in so many words', async () => {
    const url = `${publisher.url}/list`
    const answers: [unknown, string][] = [
      [undefined, 'The answer had status 404'],
      ['<html>', 'The answer is not JSON'],
      ['['.repeat(200_000), 'The answer is not JSON'],
      ['null', 'The answer is no price list of a kind that is known here'],
      [{ data: [] }, 'The answer is no price list of a kind that is known here'],
      [{ data: { model_ratio: [1] } }, 'The answer is no price list of a kind that is known here'],
      [{ success: false, message: '<script>' }, 'The answer is no price list of a kind that is known here'],
      [`{"data":[${'{},'.repeat(30_000)}{}]}`, 'The list is too long: at most 20000 models'],
      [
        JSON.stringify({
          ...Object.fromEntries(
            Array.from({ length: 3 }, (_, at) => [
              `s${at}`,
              { models: Object.fromEntries(Array.from({ length: 9000 }, (__, model) => [`m${model}`, {}])) },
            ]),
          ),
        }),
        'The list is too long: at most 20000 models',
      ],
      [' '.repeat(9 * 1024 * 1024), 'The answer is too large'],
      [new Response(null, { status: 302, headers: { location: '/api.json' } }), 'The answer had status 302'],
    ]
    for (const [page, words] of answers) {
      publisher.pages['/list'] = page
      expect(await why({ url })).toBe(failed(words))
    }
    expect(new Set(publisher.asked)).toEqual(new Set(['/list']))
  })

  test('nor is an address that may not be asked, or is none', async () => {
    const wrong: [string, string][] = [
      ['http://169.254.169.254/latest/meta-data', 'That address is not allowed'],
      ['https://metadata.google.internal/', 'That address is not allowed'],
      ['file:///etc/passwd', 'Only http and https addresses are allowed'],
      ['nonsense', 'The address is not a valid URL'],
      [`http://127.0.0.1:${await freePort()}`, 'The connection could not be made'],
    ]
    for (const [url, words] of wrong) expect(await why({ url })).toBe(failed(words))
    await root.saveOption('AllowPrivateUpstreams', 'false')
    expect(await why({ url: publisher.url })).toBe(failed('That address is not allowed'))
    await root.saveOption('AllowPrivateUpstreams', 'true')
    for (const body of [{}, { url: ' ' }, { url: publisher.url, channel_id: 1 }])
      expect(await why(body)).toBe('Choose a channel or enter an address')
    expect(await why({ channel_id: 4711 })).toBe('record not found')
    expect(publisher.asked).toEqual([])
  })
})

describe('what is taken over', () => {
  const page = (figures: object) => {
    publisher.pages['/api/ratio_config'] = { data: figures }
  }
  const rows = async () => (await compare({ url: publisher.url })).models

  test('is what was shown, at once, for these models alone', async () => {
    await root.saveOption('ModelRatio', '{"mine": 9, "gpt-4o": 1}')
    await root.saveOption('ModelPrice', '{"house-70b": 0.5}')
    page({
      model_ratio: { 'gpt-4o': 2, 'house-70b': 0.7, 'gpt-4o-mini': 5 },
      completion_ratio: { 'gpt-4o': 10 / 3 },
      cache_ratio: { 'house-70b': 0.1 },
      model_price: { 'dall-e-3': 0.09 },
    })
    const chosen = (await rows()).filter(({ model }) => model !== 'gpt-4o-mini')
    expect(chosen.map(({ model }) => model)).toEqual(['dall-e-3', 'gpt-4o', 'house-70b'])
    const source = 'https://me:secret@list.example/prices?key=secret'
    expect(await take(chosen, { source })).toEqual({ success: true, message: '', data: null })
    expect(await stored('ModelRatio')).toEqual({ mine: 9, 'gpt-4o': 2, 'house-70b': 0.7 })
    expect(await stored('CompletionRatio')).toEqual({ 'gpt-4o': 10 / 3 })
    expect(await stored('ModelPrice')).toEqual({ 'dall-e-3': 0.09 })
    expect(await inForce('gpt-4o')).toMatchObject({ quota_type: 0, model_ratio: 2, completion_ratio: 10 / 3 })
    expect(await inForce('house-70b')).toMatchObject({ quota_type: 0, model_ratio: 0.7, cache_ratio: 0.1 })
    expect(await inForce('dall-e-3')).toMatchObject({ quota_type: 1, model_price: 0.09 })
    expect(await inForce('gpt-4o-mini')).toMatchObject({ model_ratio: 0.075 })
    expect((await rows()).map(({ model }) => model)).toEqual(['gpt-4o-mini'])

    const records = (await root.get('/api/audit?p=1&size=10')).json.data.items
    const of = (subject: string) => records.find((record: { subject: string }) => record.subject === subject)
    expect(of('option:ModelRatio')).toMatchObject({
      action: 'option.save',
      username: 'root',
      before: { value: '{"gpt-4o":1}' },
      after: { value: '{"gpt-4o":2,"house-70b":0.7}', source: 'https://list.example/prices' },
    })
    expect(of('option:ModelPrice')).toMatchObject({
      before: { value: '{"house-70b":0.5}' },
      after: { value: '{"dall-e-3":0.09}' },
    })
  })

  test('leaves alone what the list does not tell', async () => {
    await root.saveOption('ModelRatio', '{"plain": 1}')
    page({ model_ratio: { plain: 1 }, cache_ratio: { plain: 0.5 } })
    const [row] = await rows()
    expect(row?.own).toEqual({ model_ratio: 1, completion_ratio: 1, cache_ratio: 1, create_cache_ratio: 1 })
    expect((await take([row as object])).success).toBe(true)
    // Writing to a cache would cost more now that reading from it has a price.
    expect(await stored('CreateCacheRatio')).toEqual({ plain: 1 })
    expect(await stored('CompletionRatio')).toEqual({})
  })

  test('is nothing where somebody has edited one of the prices meanwhile, and that edit stays', async () => {
    page({ model_ratio: { 'gpt-4o': 2, 'gpt-4o-mini': 3 } })
    const chosen = await rows()
    await root.saveOption('CompletionRatio', '{"gpt-4o-mini": 5}')
    await root.saveOption('ModelRatio', '{"mine": 9}')
    expect(await take(chosen)).toMatchObject({
      success: false,
      message: 'Nothing was saved: the prices of these models have been changed meanwhile: gpt-4o-mini',
    })
    expect(await stored('ModelRatio')).toEqual({ mine: 9 })
    expect(await stored('CompletionRatio')).toEqual({ 'gpt-4o-mini': 5 })
    expect((await take(await rows())).success).toBe(true)
    expect(await stored('ModelRatio')).toEqual({ mine: 9, 'gpt-4o': 2, 'gpt-4o-mini': 3 })
  })

  test('is never what cannot be a price, whoever sends it', async () => {
    const own = null
    const wrong = [
      { model_ratio: 0 },
      { model_ratio: 1e8 },
      { completion_ratio: 2 },
      {},
      { model_price: 1, model_ratio: 2 },
      { model_ratio: 1, completion_ratio: 5000 },
    ]
    for (const figures of wrong)
      expect((await take([{ model: 'brand-new', own, theirs: figures }])).message).toBe(
        'The price of brand-new cannot be used, and nothing was saved',
      )
    const good = { model: 'brand-new', own, theirs: { model_ratio: 1 } }
    expect((await take([good, good])).success).toBe(false)
    for (const model of ['', '__proto__', 'n'.repeat(256)])
      expect((await take([{ ...good, model }])).success).toBe(false)
    expect((await take([{ ...good, theirs: { model_ratio: -1 } }])).success).toBe(false)
    expect((await take([])).success).toBe(false)
    expect(await stored('ModelRatio')).toEqual({})
  })
})

test('whoever asks too often has to wait', async () => {
  const before = publisher.asked.length
  for (let tries = 0; ; tries++) {
    const { status, headers } = await root.post('/api/ratio_sync/fetch', { url: `${publisher.url}/nothing` })
    if (status !== 429) {
      expect(tries).toBeLessThan(60)
      continue
    }
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    break
  }
  expect(publisher.asked.length - before).toBeLessThanOrEqual(60)
})
