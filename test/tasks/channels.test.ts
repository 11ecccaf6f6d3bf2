import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type Client, rootClient } from '../client.ts'
import { until } from '../program.ts'
import { type FakeMidjourney, startMidjourney } from '../upstreams/midjourney/start-midjourney.ts'
import { looksWhenTold, openTaskHouse, type TaskHouse } from './house.ts'

const PRICE = 50_000
let first: FakeMidjourney
let second: FakeMidjourney
let house: TaskHouse
let firstChannel: number
let secondChannel: number
let root: Client

beforeAll(async () => {
  first = startMidjourney('mj-first-5a1b77')
  second = startMidjourney('mj-second-90cc12', ['mj-second-other-44'])
  house = await openTaskHouse(async rig => {
    const models = Array.from({ length: 9 }, (_, at) => `group${at}`)
    await rig.setOption('RetryTimes', '3')
    await rig.setOption('GroupRatio', JSON.stringify(Object.fromEntries(models.map(group => [group, 1]))))
    const channel = { type: 5, models: ['mj_imagine', 'mj_reroll'], groups: models }
    firstChannel = await rig.addChannel({ ...channel, baseUrl: first.url, key: first.key, priority: 9 })
    secondChannel = await rig.addChannel({
      ...channel,
      baseUrl: second.url,
      key: `mj-second-other-44\n${second.key}`,
    })
  }, looksWhenTold)
  root = await rootClient(house.url)
})
afterAll(async () => {
  expect(await house.differences()).toEqual([])
  await house.close()
  await first.stop()
  await second.stop()
})

let turn = 0
let key = ''
let userId = 0
/** Everyone new: nothing that a channel did to another is remembered against it but by health, which changes reset. */
beforeEach(async () => {
  userId = await house.addUser({ quota: 1_000_000, group: `group${turn++}` })
  key = (await house.addToken({ userId })).key
  // By the program itself, where it is in force when the answer comes.
  for (const id of [firstChannel, secondChannel])
    expect((await root.put('/api/channel/', { id, name: `turn-${turn}`, status: 1 })).json.success).toBe(true)
})

const submit = () => house.call('POST', '/mj/submit/imagine', { prompt: 'a cat' }, key)
const spent = async () => 1_000_000 - (await house.balance(userId))

test.each([
  ['a full queue', { code: 23, description: 'full' }],
  ['no account', { code: 3, description: 'no account' }],
  ['a status that refuses', { code: 4, description: 'no', status: 403 }],
])('%s: surely not accepted, so another channel is asked, and one is paid', async (_name, answer) => {
  first.next(answer)
  const before = second.drawings.size
  const { status, json } = await submit()
  expect([status, json.code]).toEqual([200, 1])
  expect([second.drawings.size - before, await spent()]).toEqual([1, PRICE])
})

test.each([
  ['half an answer', { cut: true } as const, 502],
  ['an error of its own', { code: 9, description: 'oops', status: 500 }, 400],
])(
  '%s: it may have been accepted, so nobody else is asked, and nothing is paid',
  async (_name, answer, status) => {
    first.next(answer)
    const before = second.requests.length
    const refused = await submit()
    expect(refused.status === 200 ? refused.json : refused.status).toBe(status)
    expect([second.requests.length - before, await spent()]).toEqual([0, 0])
  },
)

test('what the operator calls a status makes no refusal of it', async () => {
  const call = (status_code_mapping: string) =>
    root.put('/api/channel/', { id: firstChannel, status_code_mapping })
  expect((await call('{"500":"403"}')).json.success).toBe(true)
  first.next({ code: 9, description: 'oops', status: 500 })
  const [began, before] = [first.requests.length, second.requests.length]
  await submit()
  expect([first.requests.length - began, second.requests.length - before, await spent()]).toEqual([1, 0, 0])
  expect((await call('')).json.success).toBe(true)
})

test('what goes on from a drawing goes to the channel and the key that made it', async () => {
  first.next({ code: 23, description: 'full' })
  const { json } = await submit()
  const run = house.store.db.selectFrom('task_runs').selectAll().where('id', '=', json.result)
  second.succeed((await run.executeTakeFirstOrThrow()).upstream_id)
  await house.poll()
  const before = [first.requests.length, second.complaints.length]
  for (let times = 0; times < 3; times++) {
    const reroll = await house.call(
      'POST',
      '/mj/submit/change',
      { taskId: json.result, action: 'REROLL' },
      key,
    )
    expect([reroll.status, reroll.json.code]).toEqual([200, 1])
  }
  expect([first.requests.length, second.complaints.length]).toEqual(before)
  // Who is busy is not stood in for by a key that does not know the drawing.
  const asked = second.requests.length
  second.next({ code: 23, description: 'full', status: 429 })
  const busy = { taskId: json.result, action: 'REROLL' }
  const refused = await house.call('POST', '/mj/submit/change', busy, key)
  expect([refused.status, refused.json.code]).toEqual([400, 23])
  expect([second.requests.length - asked, second.complaints.length]).toEqual([1, before[1] ?? 0])
})

test('a channel that is removed fails its tasks', async () => {
  const { json } = await submit()
  expect(await spent()).toBe(PRICE)
  await house.store.change('channels', async transaction => {
    await transaction.deleteFrom('channels').where('id', '=', firstChannel).execute()
  })
  // Until whoever asks has heard of it.
  const fetched = await until(async () => {
    await house.poll()
    const { json: now } = await house.call('GET', `/mj/task/${json.result}/fetch`, undefined, key)
    return now.status === 'FAILURE' ? now : undefined
  })
  expect([fetched.status, fetched.failReason, await spent()]).toEqual(['FAILURE', '渠道已被删除', 0])
})
