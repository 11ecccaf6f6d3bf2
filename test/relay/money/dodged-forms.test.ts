import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { FakeUpstream } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { chat, requestIdOf } from '../ways.ts'

// Forms are held to what JSON is held to: nothing in one makes an upstream do something dearer than what is paid here.

const model = 'm-cheap'
const generous = 'm-generous'
const paths = ['/v1/images/edits', '/v1/edits', '/v1/audio/transcriptions', '/v1/audio/translations'] as const
let rig: Rig
let key = ''
let fake: FakeUpstream

beforeAll(async () => {
  fake = await chat.start({
    accept: [
      ...['extra_body', 'provider', 'providerOptions', 'metadata'],
      ...['sequential_image_generation', 'sequential_image_generation_options'],
    ],
  })
  rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    await books.setOption('ModelPrice', JSON.stringify({ [model]: 0.02, [generous]: 0.02 }))
    await books.setOption('RetryTimes', '0')
    const channel = { type: chat.channelType, baseUrl: fake.url, key: fake.key }
    await books.addChannel({ ...channel, models: [model] })
    await books.addChannel({ ...channel, models: [generous], setting: { allow_service_tier: true } })
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  expect(fake.complaints).toEqual([])
  await rig.close()
  await fake.stop()
})

type Field = readonly [name: string, value: string | File]

function post(path: string, fields: readonly Field[], name = model): Promise<Response> {
  const form = new FormData()
  form.append('model', name)
  if (path.includes('edits')) {
    form.append('prompt', 'a fox')
    form.append('image', new File(['png'], 'a.png', { type: 'image/png' }))
  } else form.append('file', new File([new Uint8Array(2000)], 'a.mp3', { type: 'audio/mpeg' }))
  for (const [field, value] of fields) form.append(field, value)
  return fetch(rig.url + path, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: form })
}

const sent = (): FormData => fake.requests.at(-1)?.form ?? new FormData()

describe('a name that some readers take for another', () => {
  const odd: readonly Field[] = [
    ...(['Model', 'MODEL', 'model[]', 'model[0]', 'model.name', ' model', '[model]', 'model'] as const).map(
      name => [name, 'm-dear'] as const,
    ),
    ['n[]', '10'],
    ['N', '10'],
    ['n', '["1","10"]'],
    ['prompt[]', 'another'],
    ['Size', '4096x4096'],
    ['Fallbacks', '["m-dear"]'],
    ['Extra_Body', '{"n":9}'],
    ['extra_body[n]', '9'],
    ['provider[order][]', 'dear'],
    ['Provider', '{"order":["dear"]}'],
    ['model', new File(['m-dear'], 'model.txt')],
    ['quality', new File(['high'], 'quality.txt')],
  ]

  test.each(paths)('%s: is refused, and nobody is asked', async path => {
    const asked = fake.requests.length
    for (const field of odd) {
      const answer = await post(path, [field])
      expect([field[0], answer.status]).toEqual([field[0], 400])
      const { error } = (await answer.json()) as { error: { param: string } }
      expect(error.param).toBe(field[0])
    }
    expect(fake.requests.length).toBe(asked)
  })

  test.each(paths)('%s: is refused where it is there twice', async path => {
    const asked = fake.requests.length
    for (const name of [
      'n',
      'size',
      'service_tier',
      'sequential_image_generation',
      'extra_body',
      'provider',
    ]) {
      const answer = await post(path, [
        [name, '1'],
        [name, '2'],
      ])
      expect([name, answer.status]).toEqual([name, 400])
    }
    expect(fake.requests.length).toBe(asked)
  })
})

test.each(paths)('%s: what gateways would turn to instead does not reach one', async path => {
  const dear: readonly Field[] = [
    ...['models', 'fallbacks', 'context_window_fallbacks', 'content_policy_fallbacks'].map(
      name => [name, '["m-dear"]'] as const,
    ),
    ...[
      'fallbacks[]',
      'fallbacks[]',
      '[fallbacks]',
      'models[]',
      'models[0]',
      'preset',
      'route',
      'specific_deployment',
    ].map(name => [name, 'm-dear'] as const),
    ...['mock_testing_fallbacks', 'disable_fallbacks'].map(name => [name, 'true'] as const),
    ...['api_base', 'base_url', 'api_key', 'custom_llm_provider', 'user_config'].map(
      name => [name, 'https://dear.example'] as const,
    ),
    ['num_retries', '5'],
    ['litellm_metadata', '{"tags":["dear"]}'],
    ['litellm_metadata[tags][]', 'dear'],
    ['metadata[tags][]', 'dear'],
  ]
  for (const name of [model, generous]) {
    expect((await post(path, dear, name)).status).toBe(200)
    const names = path.includes('edits') ? ['image', 'model', 'prompt'] : ['file', 'model']
    expect([...sent().keys()].sort()).toEqual(names)
    expect(fake.requests.at(-1)?.text).not.toContain('dear')
  }
})

test('nor does what it could put over what is paid for, nor whom it is to turn to', async () => {
  const google = { thinking_config: { include_thoughts: true } }
  const extra = {
    model: 'm-dear',
    N: 9,
    max_tokens: 99,
    Models: ['m-dear'],
    api_base: 'https://dear',
    google,
  }
  const wish = { order: ['dear'], Sort: 'latency', data_collection: 'deny' }
  const options = { gateway: { models: ['dear'] }, anthropic: { effort: 'low' } }
  const fields: readonly Field[] = [
    ['extra_body', JSON.stringify(extra)],
    ['provider', JSON.stringify(wish)],
    ['providerOptions', JSON.stringify(options)],
    ['metadata', JSON.stringify({ tags: ['dear'], run: '7' })],
  ]
  const read = (name: string): unknown => JSON.parse(String(sent().get(name)))
  expect((await post('/v1/images/edits', fields)).status).toBe(200)
  expect(read('extra_body')).toEqual({ google })
  expect(read('provider')).toEqual({ data_collection: 'deny' })
  expect(read('providerOptions')).toEqual({ anthropic: { effort: 'low' } })
  expect(read('metadata')).toEqual({ run: '7' })
  expect(fake.requests.at(-1)?.text).not.toContain('dear')
  // The operator lets vendors be chosen, and nothing else.
  expect((await post('/v1/images/edits', fields, generous)).status).toBe(200)
  expect([read('extra_body'), read('provider')]).toEqual([{ google }, wish])
  // What no reader takes for JSON says nothing.
  expect((await post('/v1/images/edits', [['extra_body', "{model: 'm-dear'}"]])).status).toBe(200)
  expect(sent().has('extra_body')).toBe(false)
})

test('a vendor as a condition is refused', async () => {
  const asked = fake.requests.length
  const answer = await post('/v1/images/edits', [['provider', '{"only":["dear"]}']])
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('provider.only')])
  expect(fake.requests.length).toBe(asked)
})

test('a series of pictures is held and paid picture by picture', async () => {
  const poor = await rig.addToken({ userId: await rig.addUser({ quota: 5 * 10_000 }) })
  const fields: readonly Field[] = [
    ['sequential_image_generation', 'auto'],
    ['sequential_image_generation_options', '{"max_images":12}'],
  ]
  const data = Array.from({ length: 12 }, (_, at) => ({ url: `https://pictures.example/${at}.png` }))
  fake.next({ status: 200, body: { created: 1, data } })
  const response = await post('/v1/images/edits', fields)
  expect([response.status, await rig.chargeOf(requestIdOf(response))]).toEqual([200, 12 * 10_000])
  const asked = fake.requests.length
  const rich = key
  key = poor.key
  const refused = await post('/v1/images/edits', fields)
  key = rich
  expect(refused.status).toBe(403)
  expect(fake.requests.length).toBe(asked)
  const misspelled = '{"max_images":1,"Max_Images":15}'
  const odd = await post('/v1/images/edits', [['sequential_image_generation_options', misspelled]])
  expect(odd.status).toBe(400)
})

test('what only the operator may read is not named in a form either', async () => {
  const asked = fake.requests.length
  for (const name of ['image', 'image[]', 'image_url', 'images[]', 'mask', 'mask[url]']) {
    const answer = await post('/v1/images/edits', [[name, 'gs://bucket/a.png']])
    expect([name, answer.status]).toEqual([name, 400])
  }
  expect(fake.requests.length).toBe(asked)
})
