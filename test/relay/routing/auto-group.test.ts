import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asObject } from '../../../server/dialects/json.ts'
import { credit } from '../../../server/ledger/entries.ts'
import { rootClient } from '../../client.ts'
import { until } from '../../program.ts'
import { expectedUsage, type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { openRig, type Rig, type SeededToken } from '../rig.ts'
import { type Asking, ask, chat, problemIn, readStream, requestIdOf } from '../ways.ts'

const MODELS = ['m-both', 'm-tired', 'm-rests', 'm-crowded', 'm-many', 'm-scarce', 'm-stored']
const HIDDEN = 'm-hidden'
const TIGHT = ['m-tight', 'm-tight-only']

let rig: Rig
/** Behind the groups `default` and `vip`. */
let first: FakeUpstream
let second: FakeUpstream
let userId = 0
let token: SeededToken

beforeAll(async () => {
  first = await startOpenai()
  second = await startOpenai()
  rig = await openRig(async books => {
    userId = await books.addUser()
    token = await books.addToken({ userId, group: 'auto' })
    const all = [...MODELS, HIDDEN, ...TIGHT, 'm-vip', 'm-named', 'm-only']
    await books.setOption('GroupRatio', '{"default":1,"vip":2.5,"svip":9,"tight":0.5,"auto":3}')
    await books.setOption('UserUsableGroups', '{"default":"a","vip":"b","tight":"c"}')
    await books.setOption('GroupGroupRatio', '{"svip":{"vip":1.75,"default":0.3}}')
    await books.setOption('AutoGroups', '["tight","nowhere","default","svip","vip"]')
    await books.setOption('GroupLimits', '{"tight":{"rpm":1}}')
    await books.setOption('RetryTimes', '1')
    await books.setOption('ModelRatio', JSON.stringify(Object.fromEntries(all.map(model => [model, 1]))))
    await books.setOption('CompletionRatio', JSON.stringify(Object.fromEntries(all.map(model => [model, 1]))))
    const at = (fake: FakeUpstream) => ({ type: 1, baseUrl: fake.url, key: fake.key })
    await books.addChannel({ ...at(first), models: MODELS })
    await books.addChannel({ ...at(first), models: ['m-many', 'm-only'], priority: 1 })
    await books.addChannel({ ...at(second), models: [...MODELS, 'm-vip'], groups: ['vip'] })
    await books.addChannel({ ...at(second), models: [HIDDEN], groups: ['svip'] })
    await books.addChannel({ ...at(first), models: TIGHT, groups: ['tight'] })
    await books.addChannel({ ...at(second), models: ['m-tight'], groups: ['vip'] })
    await books.addChannel({ ...at(second), models: ['m-named'], groups: ['auto'] })
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  for (const fake of [first, second]) expect(fake.complaints).toEqual([])
  await rig.close()
  for (const fake of [first, second]) await fake.stop()
})

async function call(model: string, asking: Partial<Asking> = {}) {
  const response = await ask(rig.url, chat, { key: token.key, model, ...asking })
  const { text } = await readStream(response)
  const requestId = requestIdOf(response)
  return { status: response.status, text, requestId, row: await rig.logOf(requestId) }
}

function tokensOf(model: string, stream = false): number {
  const usage = expectedUsage('openai-chat', chat.body(model, 'good morning', stream))
  return usage.input + usage.output
}

async function holdOf(requestId: string) {
  const row = await rig.store.db
    .selectFrom('holds')
    .select(['held', 'price'])
    .where('id', '=', requestId)
    .executeTakeFirstOrThrow()
  return { held: row.held, price: JSON.parse(row.price) as Record<string, unknown> }
}

/** Rich enough for a call without a hold, and too poor for that. */
const purses = [50_000_000, 60_000]

describe.each(purses)('with %p in the wallet', quota => {
  let key = ''
  let owner = 0
  beforeAll(async () => {
    owner = await rig.addUser({ quota })
    key = (await rig.addToken({ userId: owner, group: 'auto' })).key
  })

  test.each([false, true])(
    'the first group that can serve does, and is paid (streamed: %p)',
    async stream => {
      const { row, requestId } = await call('m-both', { key, stream })
      const charge = tokensOf('m-both', stream)
      expect(row).toMatchObject({ type: 2, group: 'default', quota: charge })
      expect(row.details.group_ratio).toBe(1)
      expect(row.details).not.toHaveProperty('user_group_ratio')
      expect(await rig.chargeOf(requestId)).toBe(charge)
      expect((await holdOf(requestId)).price).toMatchObject({ group: 'default', groupRatio: 1 })
    },
  )

  test.each([false, true])(
    'when it fails the next one goes on, at its own ratio (streamed: %p)',
    async stream => {
      const before = await rig.balance(owner)
      first.next(first.failWith('server-error'))
      const { row, requestId, status } = await call('m-both', { key, stream })
      const charge = Math.round(tokensOf('m-both', stream) * 2.5)
      expect([status, row.group, row.quota, row.details.group_ratio]).toEqual([200, 'vip', charge, 2.5])
      expect(await rig.chargeOf(requestId)).toBe(charge)
      expect(await rig.balance(owner)).toBe(before - charge)
      expect((await holdOf(requestId)).price).toMatchObject({ group: 'vip', groupRatio: 2.5 })
      expect((row.details.admin_info as { use_channel: string[] }).use_channel).toHaveLength(2)
    },
  )
})

test('the hold is for the dearest that may come to serve it, and for no other', async () => {
  const most = async (group: string) => {
    const { key } = await rig.addToken({ userId, group })
    return (await holdOf((await call('m-both', { key, stream: true })).requestId)).held
  }
  expect(await most('auto')).toBe(await most('vip'))
  expect(await most('default')).toBeLessThan(await most('auto'))
  // What only one of them has is held for at that one's ratio.
  const { requestId } = await call('m-only', { stream: true })
  expect((await holdOf(requestId)).held).toBe(await most('default'))
})

test('whoever cannot pay the dearest is refused before anybody is asked', async () => {
  const poor = await rig.addUser({ quota: 30 })
  const statusIn = async (group: string) => {
    const { key } = await rig.addToken({ userId: poor, group })
    const response = await ask(rig.url, chat, { key, model: 'm-scarce' })
    return [response.status, problemIn(chat, await response.text())?.code]
  }
  const asked = first.requests.length
  expect(await statusIn('auto')).toEqual([403, 'insufficient_user_quota'])
  expect(first.requests.length).toBe(asked)
  expect(await statusIn('default')).toEqual([200, undefined])
})

test('many at once that fall to the dearer group spend no more than there is', async () => {
  const owner = await rig.addUser({ quota: 2000 })
  const { key } = await rig.addToken({ userId: owner, group: 'auto' })
  first.always(({ json }) => (asObject(json)?.model === 'm-scarce' ? first.failWith('server-error') : {}))
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, at) => {
      const response = await ask(rig.url, chat, { key, model: 'm-scarce', stream: at % 2 === 0 })
      const { text } = await readStream(response)
      return { id: requestIdOf(response), isWhole: response.status === 200 && chat.endMark.test(text) }
    }),
  )
  first.always({})
  const charges = await Promise.all(answers.map(({ id }) => rig.chargeOf(id)))
  const spent = charges.reduce<number>((sum, charge) => sum + (charge ?? 0), 0)
  expect(spent).toBeGreaterThan(0)
  expect(await rig.balance(owner)).toBe(2000 - spent)
  for (const [at, { isWhole }] of answers.entries()) if (isWhole) expect(charges[at]).toBeGreaterThan(0)
})

test('the operator’s retries are for all groups together', async () => {
  first.always(({ json }) => (asObject(json)?.model === 'm-many' ? first.failWith('server-error') : {}))
  const { status, row, requestId } = await call('m-many')
  first.always({})
  // Both channels of the first group were asked, and that was all.
  expect([status, row.type, row.group]).toEqual([500, 5, 'default'])
  expect(await rig.chargeOf(requestId)).toBeUndefined()
})

test('a group whose channels rest is passed over', async () => {
  first.next({ ...first.failWith('rate-limit'), headers: { 'Retry-After': '300' } })
  expect((await call('m-rests')).row.group).toBe('vip')
  const asked = first.requests.length
  const { row } = await call('m-rests')
  expect([row.group, row.quota]).toEqual(['vip', Math.round(tokensOf('m-rests') * 2.5)])
  expect(first.requests.length).toBe(asked)
})

test('only groups that the user may use serve, and a ratio of the user’s own group counts', async () => {
  const hidden = await ask(rig.url, chat, { key: token.key, model: HIDDEN })
  expect([hidden.status, problemIn(chat, await hidden.text())?.code]).toEqual([503, 'model_not_found'])
  const owner = await rig.addUser({ group: 'svip' })
  const { key } = await rig.addToken({ userId: owner, group: 'auto' })
  const own = await call(HIDDEN, { key })
  expect([own.row.group, own.row.quota]).toEqual(['svip', tokensOf(HIDDEN) * 9])
  for (const stream of [false, true]) {
    const { row } = await call('m-both', { key, stream })
    expect([row.group, row.quota]).toEqual(['default', Math.round(tokensOf('m-both', stream) * 0.3)])
    expect(row.details).toMatchObject({ group_ratio: 0.3, user_group_ratio: 0.3 })
    first.next(first.failWith('server-error'))
    const fallen = await call('m-both', { key, stream })
    expect([fallen.row.group, fallen.row.quota]).toEqual([
      'vip',
      Math.round(tokensOf('m-both', stream) * 1.75),
    ])
    expect(fallen.row.details).toMatchObject({ group_ratio: 1.75, user_group_ratio: 1.75 })
  }
})

test('a group at its limit is passed over, and where it is the only one the caller waits', async () => {
  const groups = [(await call('m-tight')).row, (await call('m-tight')).row].map(row => [row.group, row.quota])
  const tokens = tokensOf('m-tight')
  expect(groups).toEqual([
    ['tight', Math.round(tokens * 0.5)],
    ['vip', Math.round(tokens * 2.5)],
  ])
  const full = await ask(rig.url, chat, { key: token.key, model: 'm-tight-only' })
  expect(full.status).toBe(429)
  expect(Number(full.headers.get('retry-after'))).toBeWithin(1, 61)
})

test('the models of all its groups are listed, once and in order', async () => {
  const headers = { authorization: `Bearer ${token.key}` }
  const list = await (await fetch(`${rig.url}/v1/models`, { headers })).json()
  const ids = (list as { data: { id: string }[] }).data.map(({ id }) => id)
  expect(ids).toEqual([...MODELS, ...TIGHT, 'm-vip', 'm-only'].sort())
  expect((await fetch(`${rig.url}/v1/models/m-vip`, { headers })).status).toBe(200)
  expect((await fetch(`${rig.url}/v1/models/${HIDDEN}`, { headers })).status).toBe(404)
})

test('a token’s list of models holds in every group', async () => {
  const { key } = await rig.addToken({ userId, group: 'auto', models: ['m-both'] })
  expect((await call('m-both', { key })).status).toBe(200)
  expect((await call('m-vip', { key })).status).toBe(403)
})

test('a stored response is gone on with in the group that made it', async () => {
  const made = async (previous?: string) => {
    const response = await fetch(`${rig.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'm-stored',
        input: 'hi',
        ...(previous && { previous_response_id: previous }),
      }),
    })
    const { id } = (await response.json()) as { id: string }
    return { id, row: await rig.logOf(requestIdOf(response)) }
  }
  first.next(first.failWith('server-error'))
  const { id, row } = await made()
  expect(row.group).toBe('vip')
  expect((await made(id)).row).toMatchObject({ group: 'vip', details: { group_ratio: 2.5 } })
})

test('a channel that an administrator asks for is paid as in the first group that has it', async () => {
  const admin = await rig.addUser({ role: 10 })
  const { key } = await rig.addToken({ userId: admin, group: 'auto' })
  const channels = await rig.store.db.selectFrom('channels').select(['id', 'group', 'models']).execute()
  const idOf = (group: string) => channels.find(row => row.group === group && row.models !== 'm-tight')?.id
  expect((await call('m-both', { key: `${key}-${idOf('vip')}` })).row.group).toBe('vip')
  expect((await call('m-both', { key: `${key}-${idOf('default')}` })).row.group).toBe('default')
})

test('the playground knows it too', async () => {
  const root = await rootClient(rig.url)
  const now = Math.floor(Date.now() / 1000)
  await credit(rig.store, now, { kind: 'gift', ref: 'root', userId: root.userId ?? 0, amount: 1_000_000 })
  first.next(first.failWith('server-error'))
  const answer = await root.post('/pg/chat/completions', {
    ...chat.body('m-both', 'hi', false),
    group: 'auto',
  })
  const row = await rig.logOf(answer.headers.get('x-oneapi-request-id') ?? '')
  expect([answer.status, row.token_name, row.group, row.details.group_ratio]).toEqual([
    200,
    'playground-auto',
    'vip',
    2.5,
  ])
  expect(second.requests.at(-1)?.json).not.toHaveProperty('group')
})

describe('when the operator changes the list', () => {
  test('one that none of the user’s groups is in refuses; none at all makes it a group like others', async () => {
    const statusOf = async (model: string) => (await ask(rig.url, chat, { key: token.key, model })).status
    await rig.setOption('AutoGroups', '["svip"]')
    await until(async () => (await statusOf('m-both')) === 403)
    await rig.setOption('AutoGroups', '[]')
    await rig.setOption('UserUsableGroups', '{"default":"a","auto":"d"}')
    await until(async () => (await statusOf('m-named')) === 200)
    const { row } = await call('m-named')
    expect([row.group, row.quota]).toEqual(['auto', tokensOf('m-named') * 3])
    expect(await statusOf('m-both')).toBe(503)
  })
})
