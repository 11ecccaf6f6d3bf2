import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { credit } from '../../server/ledger/entries.ts'
import { openSocket } from '../../server/relay/upstream/open-socket.ts'
import { type Client, rootClient } from '../client.ts'
import { type Program, startProgram, until } from '../program.ts'
import { openRig, type Rig, SECRET_KEY, type TokenSeed } from '../relay/rig.ts'
import { chat } from '../relay/ways.ts'
import { type FakeUpstream, startOpenai } from '../upstreams/index.ts'
import { askPlainly, MODEL, socketHeaders, Talk } from './house.ts'
import { COST, done, type Ear, say, startLoopback } from './upstream.ts'

const QUOTA = 50_000_000
const ending: (() => unknown)[] = []
let rig: Rig
let other: Program
let upstream: ReturnType<typeof startLoopback>
let fake: FakeUpstream
/** Logged in at the other node. */
let root: Client

/** Says half of an answer, and all of it when it is told to stop. */
const halfAnswer: Ear = (socket, event) => {
  if (event.type === 'response.create') say(socket, { type: 'response.output_text.delta', delta: 'Hello' })
  if (event.type === 'response.cancel' || event.type === 'go.on') say(socket, done)
}

beforeAll(async () => {
  upstream = startLoopback(halfAnswer)
  fake = await startOpenai()
  rig = await openRig(
    async books => {
      const groups = ['default', 'vip', 'svip']
      await books.setOption('GroupGroupRatio', JSON.stringify({ svip: { default: 0.5 } }))
      await books.addChannel({ type: 1, baseUrl: upstream.url, key: 'sk-up', models: [MODEL], groups })
      await books.addChannel({ type: 1, baseUrl: fake.url, key: fake.key, models: [chat.model] })
    },
    { WORKERS: '2' },
  )
  const DATABASE_URL = `sqlite:${join(rig.program.dataDir, 'tollgate.db')}`
  other = await startProgram({ SECRET_KEY, DATABASE_URL })
  root = await rootClient(other.url)
})
afterAll(async () => {
  for (const end of ending.splice(0)) end()
  expect(await rig.differences()).toEqual([])
  await other.stop()
  await rig.close()
  upstream.stop()
  await fake.stop()
})

async function talkAs(key: string): Promise<Talk> {
  const url = `${rig.url.replace('http', 'ws')}/v1/realtime?model=${MODEL}`
  const headers = { authorization: `Bearer ${key}`, 'accept-language': 'en' }
  const talk = new Talk(openSocket(url, { headers }))
  ending.push(() => talk.socket.terminate())
  await talk.until('session.created')
  return talk
}

async function open(seed: Partial<TokenSeed> = {}) {
  const userId = seed.userId ?? (await rig.addUser({ quota: QUOTA }))
  const token = await rig.addToken({ ...seed, userId })
  return { userId, token, talk: await talkAs(token.key) }
}

/** A session whose token has some seconds left, in which it has begun to answer; more of them if those did not suffice. */
async function openExpiring(seconds: number): Promise<Talk> {
  const expiresAt = Math.floor(Date.now() / 1000) + seconds
  try {
    const { talk } = await open({ expiresAt })
    talk.say({ type: 'response.create' })
    await talk.until('response.output_text.delta')
    return talk
  } catch (error) {
    if (Date.now() / 1000 < expiresAt) throw error
    return openExpiring(seconds * 2)
  }
}

type Opened = Awaited<ReturnType<typeof open>>

const changeToken = (id: number, set: { status?: number; expired_time?: number; model_limits?: string }) =>
  rig.store.change('tokens', transaction =>
    transaction
      .updateTable('tokens')
      .set({ ...set, ...(set.model_limits && { model_limits_enabled: 1 }) })
      .where('id', '=', id)
      .execute(),
  )

const logsOf = (userId: number) =>
  rig.store.db
    .selectFrom('logs')
    .select(['type', 'quota'])
    .where('user_id', '=', userId)
    .where('model_name', '=', MODEL)
    .execute()

const changes: [string, (opened: Opened) => Promise<unknown>, string][] = [
  [
    'a user who is banned',
    ({ userId }) => root.post('/api/user/manage', { id: userId, action: 'disable' }),
    'This user is banned',
  ],
  ['a user who is deleted', ({ userId }) => root.send('DELETE', `/api/user/${userId}/`), 'is not valid'],
  ['a token that is disabled', ({ token }) => changeToken(token.id, { status: 2 }), 'is not usable'],
  ['a token that expires now', ({ token }) => changeToken(token.id, { expired_time: 1 }), 'has expired'],
  [
    'a token that may not ask for the model any more',
    ({ token }) => changeToken(token.id, { model_limits: 'gpt-4o' }),
    MODEL,
  ],
]

test('begins none with a token that may use other models alone', async () => {
  const { key } = await rig.addToken({ userId: await rig.addUser({ quota: QUOTA }), models: ['gpt-4o'] })
  const before = upstream.requests.length
  const headers = { ...socketHeaders, authorization: `Bearer ${key}` }
  const refused = await askPlainly(`${rig.url}/v1/realtime?model=${MODEL}`, headers)
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'model_not_allowed' } } })
  expect(upstream.requests.length).toBe(before)
})

test('ends a session in which a frame is larger than any may be', async () => {
  const { talk } = await open()
  talk.socket.send('x'.repeat(16 * 1024 * 1024 + 1))
  expect((await talk.closed).code).toBe(1009)
})

// A session that nobody ends takes half an hour, which no test has.
test.each(changes)(
  'ends the session of %s, wherever that was done, and what it used is paid once',
  async (_name, change, words) => {
    const [opened, bystander] = [await open(), await open()]
    const { talk, userId } = opened
    talk.say({ type: 'response.create' })
    await talk.until('response.output_text.delta')
    await change(opened)
    const { error } = await talk.until('error')
    expect(error).toMatchObject({ message: expect.stringContaining(words) })
    expect(await talk.closed).toMatchObject({ code: 1008, reason: expect.stringContaining(words) })
    await until(async () => (await logsOf(userId)).length > 0)
    expect(await logsOf(userId)).toEqual([{ type: 2, quota: COST }])
    expect(await rig.balance(userId)).toBe(QUOTA - COST)
    bystander.talk.say({ type: 'response.create' })
    expect(await bystander.talk.until('response.output_text.delta')).toBeDefined()
  },
)

test('ends the sessions of a token that its owner deletes', async () => {
  const { json } = await root.get('/api/user/self')
  await credit(rig.store, 1, { kind: 'gift', ref: 'root', userId: json.data.id, amount: QUOTA })
  const { userId, token, talk } = await open({ userId: json.data.id })
  expect((await root.send('DELETE', `/api/token/${token.id}/`)).json.success).toBe(true)
  expect((await talk.until('error')).error).toMatchObject({ code: 'invalid_api_key' })
  expect(await talk.closed).toMatchObject({ code: 1008 })
  // Nothing was said: nothing is owed.
  await until(async () => (await logsOf(userId)).length > 0)
  expect((await logsOf(userId)).map(row => row.quota)).toEqual([0])
})

test('ends the session of a user whose group is another by now, unless they may use the former', async () => {
  const open = async (group: string) => {
    const userId = await rig.addUser({ quota: QUOTA, group })
    const { key } = await rig.addToken({ userId })
    return { userId, talk: await talkAs(key) }
  }
  // Users may choose vip, and may not choose svip.
  const [svip, vip] = [await open('svip'), await open('vip')]
  for (const { userId } of [vip, svip])
    expect((await root.put('/api/user/', { id: userId, group: 'default' })).json.success).toBe(true)
  expect((await svip.talk.until('error')).error).toMatchObject({ message: expect.stringContaining('svip') })
  expect(await svip.talk.closed).toMatchObject({ code: 1008 })
  vip.talk.say({ type: 'response.create' })
  vip.talk.say({ type: 'go.on' })
  await vip.talk.until('response.done')
  vip.talk.socket.close()
})

test('ends sessions in a group that the operator takes from all who have another', async () => {
  const groups = (others: object) =>
    rig.setOption('UserUsableGroups', JSON.stringify({ default: 'd', ...others }))
  await groups({ vip: 'v' })
  const [chosen, own] = [await open({ group: 'vip' }), await rig.addUser({ quota: QUOTA, group: 'vip' })]
  const owner = await open({ userId: own })
  await groups({})
  expect((await chosen.talk.until('error')).error).toMatchObject({ message: expect.stringContaining('vip') })
  expect(await chosen.talk.closed).toMatchObject({ code: 1008 })
  owner.talk.say({ type: 'response.create' })
  expect(await owner.talk.until('response.output_text.delta')).toBeDefined()
  await groups({ vip: 'v' })
})

test('ends the session of a user who pays another ratio in its group by now', async () => {
  const sessions = []
  for (const group of ['svip', 'vip']) {
    const userId = await rig.addUser({ quota: QUOTA, group })
    sessions.push(await open({ userId, group: 'default' }))
  }
  const [cheaper, usual] = sessions
  for (const { userId } of sessions)
    expect((await root.put('/api/user/', { id: userId, group: 'default' })).json.success).toBe(true)
  expect((await cheaper?.talk.until('error'))?.error).toMatchObject({
    message: expect.stringContaining('connect again'),
  })
  expect(await cheaper?.talk.closed).toMatchObject({ code: 1008 })
  usual?.talk.say({ type: 'response.create' })
  expect(await usual?.talk.until('response.output_text.delta')).toBeDefined()
})

test('ends a session when the time of its token is over, though nobody changes anything', async () => {
  const talk = await openExpiring(3)
  expect((await talk.until('error')).error).toMatchObject({
    message: expect.stringContaining('has expired'),
  })
  expect(await talk.closed).toMatchObject({ code: 1008 })
})

test('a token whose budget is all set aside for its session goes on, whatever else changes', async () => {
  // What a session wants set aside, of which this is less.
  const { talk, token } = await open({ budget: 20_000 })
  const stranger = await open()
  await changeToken(stranger.token.id, { status: 2 })
  await stranger.talk.closed
  talk.say({ type: 'response.create' })
  talk.say({ type: 'go.on' })
  await talk.until('response.done')
  const row = await rig.store.db
    .selectFrom('tokens')
    .select('remain_quota')
    .where('id', '=', token.id)
    .executeTakeFirstOrThrow()
  expect(row.remain_quota).toBe(0)
  talk.socket.close()
})

test('a stream that runs is finished and paid; the next call is refused', async () => {
  const userId = await rig.addUser({ quota: QUOTA })
  const { key, id } = await rig.addToken({ userId })
  const { promise, resolve } = Promise.withResolvers<void>()
  fake.always({ hold: { afterFrames: 1, until: promise } })
  const call = (stream: boolean) =>
    fetch(`${rig.url}${chat.path(chat.model, stream)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(chat.body(chat.model, 'hi', stream)),
    })
  const stream = await call(true)
  fake.always({})
  await changeToken(id, { status: 2 })
  await until(async () => (await call(false)).status === 401)
  resolve()
  expect(await stream.text()).toContain('[DONE]')
  await until(async () => (await rig.balance(userId)) < QUOTA)
})
