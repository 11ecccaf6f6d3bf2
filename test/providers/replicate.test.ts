import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Client, rootClient } from '../client.ts'
import { until } from '../program.ts'
import { requestIdOf } from '../relay/ways.ts'
import { startReplicate, VERSION } from '../upstreams/replicate/start.ts'
import { type Failure, openVendor, type VendorHouse } from './house.ts'

const MODEL = 'black-forest-labs/flux-schnell'
const OWN = `somebody/draws:${VERSION}`
const PRICE = 0.04
const UNIT = 500_000
const failures: readonly Failure[] = [
  { kind: 'too-long', leads: 'told' },
  { kind: 'no-model', leads: 'retried' },
  { kind: 'no-balance', leads: 'retried' },
  { kind: 'forbidden', leads: 'retried' },
  { kind: 'rate-limit', leads: 'retried' },
  { kind: 'server-error', leads: 'retried' },
  { kind: 'overloaded', leads: 'retried' },
  { kind: 'bad-key', leads: 'disabled' },
]
let house: VendorHouse
let root: Client

beforeAll(async () => {
  house = await openVendor({ type: 56, start: startReplicate, models: [MODEL, OWN, VERSION], failures })
  root = await rootClient(house.rig.url)
  await root.saveOption('ModelPrice', JSON.stringify({ [MODEL]: PRICE }))
})
afterAll(() => house.close())

const draw = (asked: Record<string, string | number>) =>
  house.post('/v1/images/generations', { model: MODEL, prompt: 'a dot', ...asked })

test('a picture that is there at once, in the words of the model', async () => {
  const asked = {
    size: '1536x1024',
    output_format: 'jpeg',
    quality: 'high',
    user: 'ada',
    seed: 7,
    guidance: 3,
  }
  const response = await draw(asked)
  const { data } = await response.json()
  expect(data).toEqual([{ url: expect.stringContaining('https://replicate.delivery/') }])
  expect([house.seen().path, house.body()]).toEqual([
    `/v1/models/${MODEL}/predictions`,
    { input: { prompt: 'a dot', aspect_ratio: '3:2', output_format: 'jpg', seed: 7, guidance: 3 } },
  ])
  expect(await house.rig.chargeOf(requestIdOf(response))).toBe(PRICE * UNIT)
})

test('pictures that take their time are asked for until all are there, and all are paid', async () => {
  const response = await draw({ prompt: 'slow dots', n: 3 })
  expect((await response.json()).data).toHaveLength(3)
  expect([house.seen().method, /^\/v1\/predictions\/\w+$/.test(house.seen().path)]).toEqual(['GET', true])
  expect(await house.rig.chargeOf(requestIdOf(response))).toBe(3 * PRICE * UNIT)
})

test('pictures are paid each, by whatever name the model has for how many there are to be', async () => {
  const wishes: Record<string, number>[] = [{ num_outputs: 4 }, { image_number: 4 }]
  for (const wish of wishes) {
    const response = await draw(wish)
    expect((await response.json()).data).toHaveLength(4)
    expect([house.body().input, await house.rig.chargeOf(requestIdOf(response))]).toEqual([
      { prompt: 'a dot', ...wish },
      4 * PRICE * UNIT,
    ])
  }
  const before = house.fake.requests.length
  const odd: Record<string, string | number>[] = [
    { num_outputs: '4' },
    { num_outputs: 0 },
    { Num_Outputs: 4 },
  ]
  for (const wish of odd) expect((await draw(wish)).status).toBe(400)
  expect(house.fake.requests.length).toBe(before)
})

test('what is there before it is said to be done is taken, and so is what comes packed', async () => {
  const before = house.fake.requests.length
  expect((await (await draw({ prompt: 'early' })).json()).data).toHaveLength(1)
  expect((await (await draw({ prompt: 'packed' })).json()).data).toEqual([{ b64_json: 'UklGRg==' }])
  expect(house.fake.requests.length).toBe(before + 2)
})

test.each([OWN, VERSION])('%s is asked for by its version', async model => {
  expect((await draw({ model })).status).toBe(200)
  expect([house.seen().path, house.body().version]).toEqual(['/v1/predictions', model])
})

test('what is not drawn is told and costs nothing; what cannot be had is not asked for', async () => {
  const refused = await draw({ prompt: 'fail, nsfw' })
  expect([refused.status, (await refused.json()).error.message]).toEqual([
    400,
    expect.stringContaining('NSFW'),
  ])
  expect(await house.rig.chargeOf(requestIdOf(refused))).toBeUndefined()
  const broken = await draw({ prompt: 'fail' })
  expect(broken.status).toBe(502)
  const before = house.fake.requests.length
  expect((await draw({ response_format: 'b64_json' })).status).toBe(400)
  const chat = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }] }
  expect((await house.post('/v1/chat/completions', chat)).status).toBe(503)
  expect(house.fake.requests.length).toBe(before)
})

test.each(failures)('$kind is $leads', async ({ kind, leads }) => {
  house.fake.next(house.fake.failWith(kind))
  const before = house.fake.requests.length
  const response = await draw({ model: house.failing(kind) })
  if (leads === 'told') {
    expect(response.status).toBe(house.fake.failWith(kind).status ?? 0)
    return expect(house.fake.requests.length).toBe(before + 1)
  }
  expect([response.status, house.fake.requests.length]).toEqual([200, before + 2])
  if (leads === 'disabled')
    await until(async () => ((await house.statusOf(house.failing(kind))) === 3 ? true : undefined))
  else expect(await house.statusOf(house.failing(kind))).toBe(1)
})

test('the operator can list its models and test it', async () => {
  const listed = (await root.get(`/api/channel/fetch_models/${house.channelId}`)).json
  expect(listed.data).toEqual(['black-forest-labs/flux-dev', 'google/imagen-4'])
  expect((await root.get(`/api/channel/test/${house.channelId}?model=${MODEL}`)).json.message).toBe('')
})

test('a refusal is told without its secrets, and it had nothing to complain of', async () => {
  house.fake.next(house.fake.failTellingSecrets('bad-request'))
  const text = await (await draw({})).text()
  expect([text.includes(house.fake.key), text.includes(house.fake.url)]).toEqual([false, false])
  await house.expectOrder()
})
