import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client } from '../../client.ts'
import { type LogHouse, openLogHouse } from '../logs/log-house.ts'

let house: LogHouse
beforeAll(async () => {
  house = await openLogHouse()
  const { root } = house
  const channel = { type: 1, key: 'k', base_url: '', group: 'default,inner' }
  const added = await root.post('/api/channel/', {
    ...channel,
    name: 'one',
    models: 'gpt-4o,dall-e-3,without-a-price',
    groups: ['default', 'inner'],
  })
  expect(added.json.success).toBe(true)
  await root.saveOption('GroupRatio', '{"default": 1, "inner": 0.5, "vip": 2}')
})
afterAll(() => house.stop())

interface Priced {
  model_name: string
  enable_groups: string[]
}
const named = (data: Priced[]) => Object.fromEntries(data.map(row => [row.model_name, row]))

test('what is on offer, for anyone', async () => {
  const { json } = await new Client(house.program.url).get('/api/pricing')
  expect(json).toMatchObject({
    success: true,
    message: '',
    group_ratio: { default: 1, vip: 2 },
    usable_group: { default: '默认分组', vip: 'vip分组' },
    web_search_price: { default: 10, 'gemini-2': 35 },
    tool_price: { code_interpreter: 30, file_search: 2.5 },
    batch_ratio: 0.5,
    inference_geo_ratio: 1.1,
  })
  expect(json.group_ratio).not.toHaveProperty('inner')
  const models = named(json.data)
  expect(Object.keys(models)).toEqual(['dall-e-3', 'gpt-4o'])
  expect(models['gpt-4o'] as object).toEqual({
    model_name: 'gpt-4o',
    quota_type: 0,
    model_ratio: 1.25,
    model_price: 0,
    owner_by: 'OpenAI',
    completion_ratio: 4,
    cache_ratio: 0.5,
    create_cache_ratio: expect.any(Number),
    image_ratio: 1,
    audio_ratio: expect.any(Number),
    audio_completion_ratio: expect.any(Number),
    create_cache_1h_ratio: 2,
    enable_groups: ['default'],
  })
  expect(models['dall-e-3']).toMatchObject({ quota_type: 1, model_price: 0.04, model_ratio: 0 })
  expect(models['dall-e-3']).toHaveProperty(['kind_prices', 'hd 1024x1792'], 0.12)
})

test('and one’s own group besides, when logged in', async () => {
  house.database.exec(`update users set "group" = 'inner' where username = 'alice'`)
  const { json } = await house.alice.get('/api/pricing')
  expect(json.group_ratio).toEqual({ default: 1, vip: 2, inner: 0.5 })
  expect(json.usable_group.inner).toBe('用户分组')
  expect(named(json.data)['gpt-4o']?.enable_groups).toEqual(['default', 'inner'])
  expect(json.auto_groups).toEqual([])
  await house.root.saveOption('GroupGroupRatio', '{"inner":{"vip":1.25}}')
  await house.root.saveOption('AutoGroups', '["svip","inner","default"]')
  const own = (await house.alice.get('/api/pricing')).json
  expect(own.group_ratio).toEqual({ default: 1, vip: 1.25, inner: 0.5 })
  expect(own.auto_groups).toEqual(['inner', 'default'])
  expect((await new Client(house.program.url).get('/api/pricing')).json).toMatchObject({
    group_ratio: { default: 1, vip: 2 },
    auto_groups: [],
  })
  // Who is banned looks on like anyone.
  house.database.exec("update users set status = 2 where username = 'alice'")
  expect((await house.alice.get('/api/pricing')).json.group_ratio).toEqual({ default: 1, vip: 2 })
})

test('a model that only others’ groups have is named to nobody but administrators', async () => {
  const { root, program } = house
  const channel = { type: 1, key: 'k', base_url: '', name: 'private', group: 'acme', models: 'acme-9b,of-ol' }
  expect((await root.post('/api/channel/', channel)).json.success).toBe(true)
  await root.saveOption('GroupRatio', '{"default": 1, "inner": 0.5, "vip": 2, "acme": 1}')
  await root.saveOption(
    'ModelPrice',
    '{"acme-9b": 0.02, "acme-9b:turbo": 0.04, "dall-e-3": 0.04, "of-old": 1}',
  )
  const paths = ['/api/pricing', '/api/ratio_config']
  const naming = async (client: Client) =>
    Promise.all(paths.map(async path => (await client.get(path)).text.includes('acme')))
  const visitor = new Client(program.url)
  house.database.exec("update users set status = 1 where username = 'alice'")
  expect([await naming(visitor), await naming(house.alice)]).toEqual([
    [false, false],
    [false, false],
  ])
  // What no channel has is nobody's, also where its name is a letter longer than one that others have.
  expect((await visitor.get('/api/ratio_config')).json.data.model_price).toHaveProperty('of-old', 1)
  expect(await naming(root)).toEqual([true, true])
  expect(named((await root.get('/api/pricing')).json.data)['acme-9b']?.enable_groups).toEqual([])

  house.database.exec(`update users set "group" = 'acme' where username = 'alice'`)
  expect(await naming(house.alice)).toEqual([true, true])
  expect(named((await house.alice.get('/api/pricing')).json.data)['acme-9b']).toMatchObject({
    ...{ enable_groups: ['acme'], kind_prices: { turbo: 0.04 } },
  })
  await root.saveOption('ModelPrice', '{}')
  const [{ id }] = (await root.get('/api/channel/search?keyword=private')).json.data
  expect((await root.send('DELETE', `/api/channel/${id}`)).json.success).toBe(true)
})

test('who is not logged in sees what a new account would, also where users choose no groups', async () => {
  const { root, program } = house
  await root.saveOption('UserUsableGroups', '{}')
  const { json } = await new Client(program.url).get('/api/pricing')
  expect([json.own_group, json.group_ratio]).toEqual(['', { default: 1 }])
  expect(Object.keys(named(json.data))).toEqual(['dall-e-3', 'gpt-4o'])
  await root.saveOption('UserUsableGroups', '{"default":"默认分组","vip":"vip分组"}')
})

test('and a team’s group for whoever is in it, and asks for it', async () => {
  const { root } = house
  const { id } = (await root.post('/api/team', { name: 'Research' })).json.data
  expect((await root.put('/api/user', { id, group: 'inner' })).json.success).toBe(true)
  const asked = async (client: Client) => (await client.get(`/api/pricing?team=${id}`)).json
  expect(await asked(root)).toMatchObject({ own_group: 'inner', group_ratio: { inner: 0.5 } })
  expect((await root.get('/api/pricing')).json).toMatchObject({ own_group: 'default' })
  // Who is not in it sees what anybody sees.
  const stranger = await asked(new Client(house.program.url))
  expect(stranger.own_group).toBe('')
  expect(stranger.group_ratio).not.toHaveProperty('inner')
})

test('the models that nobody has priced are told, of those asked about or of all on offer', async () => {
  const { root } = house
  const unpriced = async (models?: string[]) =>
    (await root.post('/api/pricing/unpriced', { models })).json.data
  expect(await unpriced()).toEqual(['without-a-price'])
  // Dated names cost what the name without its date does.
  const asked = ['without-a-price', 'gpt-4o', 'gpt-4o-2024-08-06', 'of nobody', 'of nobody', '__proto__', '']
  expect(await unpriced(asked)).toEqual(['', '__proto__', 'of nobody', 'without-a-price'])
  await root.saveOption('DefaultModelRatio', '2')
  expect(await unpriced()).toEqual([])
  await root.saveOption('DefaultModelRatio', '0')
  expect((await unpriced(Array.from({ length: 5000 }, (_, at) => `m${at}`))).length).toBe(5000)
})

test('a channel that is switched off, and a price that is changed, show at once', async () => {
  const { root } = house
  await root.saveOption('ModelRatio', '{"gpt-4o": 3, "without-a-price": 7}')
  const priced = named((await root.get('/api/pricing')).json.data)
  expect(Object.keys(priced)).toEqual(['dall-e-3', 'gpt-4o', 'without-a-price'])
  expect(priced['gpt-4o']).toMatchObject({ model_ratio: 3 })
  const [channel] = (await root.get('/api/channel/?p=0&page_size=10')).json.data
  await root.put('/api/channel/', { id: channel.id, status: 2 })
  expect((await root.get('/api/pricing')).json.data).toEqual([])
})

test('where a longer input costs more, that is told; where it does not, nothing is', async () => {
  const { root } = house
  const [channel] = (await root.get('/api/channel/?p=0&page_size=10')).json.data
  const models = 'gpt-4o,gpt-4o-search-preview,gpt-5.5,dall-e-3'
  await root.put('/api/channel/', { id: channel.id, status: 1, models })
  const priced = async () => named((await new Client(house.program.url).get('/api/pricing')).json.data)
  expect((await priced())['gpt-4o']).not.toHaveProperty('long_input')
  expect((await priced())['dall-e-3']).not.toHaveProperty('long_input')
  expect((await priced())['gpt-4o-search-preview']).toHaveProperty('always_searches', true)
  expect((await priced())['gpt-4o']).not.toHaveProperty('always_searches')
  // 5 and 30 dollars, beyond 272,000 tokens 10 and 45.
  expect((await priced())['gpt-5.5']).toMatchObject({
    ...{ model_ratio: 2.5, completion_ratio: 6 },
    long_input: { over: 272_000, model_ratio: 5, completion_ratio: 4.5 },
  })
  await root.saveOption('ModelRatio', '{"gpt-4o": 3, "gpt-5.5": 0}')
  expect((await priced())['gpt-5.5']).not.toHaveProperty('long_input')
  await root.saveOption('ModelRatio', '{"gpt-4o": 3}')
  await root.saveOption('LongInputRatio', '{"gpt-4o": 4, "gpt-5.5": 1}')
  await root.saveOption('LongOutputRatio', '{"gpt-4o": 2, "gpt-5.5": 1}')
  await root.saveOption('LongInputFrom', '{"gpt-4o": 32000}')
  expect((await priced())['gpt-5.5']).not.toHaveProperty('long_input')
  expect((await priced())['gpt-4o']).toMatchObject({
    ...{ model_ratio: 3, completion_ratio: 4 },
    long_input: { over: 32_000, model_ratio: 12, completion_ratio: 2, audio_completion_ratio: 2 },
  })
})

test('all ratios', async () => {
  const { data } = (await new Client(house.program.url).get('/api/ratio_config')).json
  expect(Object.keys(data).sort()).toEqual([
    'cache_ratio',
    'completion_ratio',
    'create_cache_ratio',
    'long_input_from',
    'long_input_ratio',
    'long_output_ratio',
    'model_price',
    'model_ratio',
  ])
  expect(data.completion_ratio['gpt-4o']).toBe(4)
  expect(data.model_price['dall-e-3']).toBe(0.04)
  expect(data.long_input_from['gpt-5.5']).toBe(272_000)
  expect([data.long_input_ratio['gpt-4o'], data.long_output_ratio['gpt-4o']]).toEqual([4, 2])
})
