import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openRig, type Rig } from './rig.ts'

// What clients of LiteLLM, such as Cline and Roo Code, ask for to know the models and what they cost.

const SECRET = 'sk-upstream-secret-0123456789'
const HOST = 'upstream.example'
let rig: Rig
const keys: Record<string, string> = {}

beforeAll(async () => {
  rig = await openRig(async seeds => {
    const place = { type: 1, baseUrl: `https://${HOST}`, key: SECRET }
    const models = ['m-chat', 'm-long', 'm-image', 'm-free-of-price', 'm-rerank']
    await seeds.addChannel({ ...place, models })
    await seeds.addChannel({ ...place, models: ['m-chat', 'm-dear'], groups: ['dear'] })
    await seeds.setOption('ModelRatio', '{"m-chat":1.5,"m-long":0.625,"m-dear":1}')
    await seeds.setOption('CompletionRatio', '{"m-chat":5,"m-long":8}')
    await seeds.setOption('CacheRatio', '{"m-chat":0.1}')
    await seeds.setOption('ModelPrice', '{"m-image":0.04,"m-rerank":0.002}')
    await seeds.setOption('LongInputRatio', '{"m-long":2}')
    await seeds.setOption('LongOutputRatio', '{"m-long":1.5}')
    await seeds.setOption('LongInputFrom', '{"m-long":200000}')
    await seeds.setOption('GroupRatio', '{"default":1,"dear":3}')
    await seeds.setOption('UserUsableGroups', '{"default":"a","dear":"b","auto":"c"}')
    await seeds.setOption('AutoGroups', '["dear","default"]')
    const userId = await seeds.addUser({ quota: 1000 })
    keys.usual = (await seeds.addToken({ userId })).key
    keys.dear = (await seeds.addToken({ userId, group: 'dear' })).key
    keys.auto = (await seeds.addToken({ userId, group: 'auto' })).key
    keys.few = (await seeds.addToken({ userId, models: ['m-chat'] })).key
  })
})
afterAll(() => rig.close())

type Headers = Readonly<Record<string, string>>

async function ask(headers: Headers, path = '/v1/model/info') {
  const response = await fetch(rig.url + path, { headers })
  const text = await response.text()
  expect(text).not.toContain(SECRET)
  expect(text).not.toContain(HOST)
  return { status: response.status, text }
}

interface Told {
  readonly model_name: string
  readonly litellm_params: { readonly model: string }
  readonly model_info: Readonly<Record<string, unknown>>
}

async function told(key = ''): Promise<Readonly<Record<string, Told['model_info']>>> {
  const { text } = await ask({ authorization: `Bearer ${key}` })
  const { data } = JSON.parse(text) as { data: Told[] }
  for (const { model_name, litellm_params } of data) expect(litellm_params).toEqual({ model: model_name })
  return Object.fromEntries(data.map(({ model_name, model_info }) => [model_name, model_info]))
}

test('the models of a key, each with what it costs its holder', async () => {
  const named = (id: string) => ({ id, key: id, db_model: false })
  expect(await told(keys.usual)).toEqual({
    'm-chat': {
      ...named('m-chat'),
      mode: 'chat',
      input_cost_per_token: 0.000003,
      output_cost_per_token: 0.000015,
      supports_prompt_caching: true,
      cache_read_input_token_cost: 0.0000003,
      cache_creation_input_token_cost: 0.00000375,
    },
    // Without a price it cannot be called.
    'm-free-of-price': { ...named('m-free-of-price'), mode: 'chat' },
    'm-image': { ...named('m-image'), mode: 'chat', input_cost_per_request: 0.04 },
    'm-long': {
      ...named('m-long'),
      mode: 'chat',
      input_cost_per_token: 0.00000125,
      output_cost_per_token: 0.00001,
      input_cost_per_token_above_200k_tokens: 0.0000025,
      output_cost_per_token_above_200k_tokens: 0.000015,
    },
    'm-rerank': { ...named('m-rerank'), mode: 'rerank', input_cost_per_query: 0.002 },
  })
})

test('what a group pays more, and whichever group would be paid', async () => {
  const dear = { input_cost_per_token: 0.000009, output_cost_per_token: 0.000045 }
  const only = await told(keys.dear)
  expect(Object.keys(only)).toEqual(['m-chat', 'm-dear'])
  expect(only['m-chat']).toMatchObject(dear)
  const all = await told(keys.auto)
  expect(all['m-chat']).toMatchObject(dear)
  expect(all['m-long']).toMatchObject({ input_cost_per_token: 0.00000125 })
})

test('only what the key may use, and nothing without one', async () => {
  expect(Object.keys(await told(keys.few))).toEqual(['m-chat'])
  const nobodys: Headers[] = [{}, { authorization: 'Bearer sk-0123456789abcdef0123456789abcdef' }]
  for (const headers of nobodys) expect((await ask(headers)).status).toBe(401)
})

test('also without /v1, in whichever header the key comes; who brings none sees the console', async () => {
  const ways: Headers[] = [{ 'x-litellm-api-key': keys.few ?? '' }, { authorization: `Bearer ${keys.few}` }]
  for (const headers of ways)
    expect((await ask(headers, '/model/info')).text).toContain('"model_name":"m-chat"')
  expect((await ask({}, '/model/info')).text).toStartWith('<!doctype html>')
})
