import { afterAll, beforeAll, expect, test } from 'bun:test'
import { insert, type LogHouse, openLogHouse } from './log-house.ts'

let house: LogHouse
const AT = 1_700_000_000

beforeAll(async () => {
  house = await openLogHouse()
  const { database, alice, bob } = house
  for (let at = 1; at <= 13; at++) {
    const user_id = (at === 13 ? bob.userId : alice.userId) ?? 0
    insert(database, 'midjourneys', {
      user_id,
      mj_id: `mj${at}`,
      prompt: 'a "cat"',
      prompt_en: '',
      description: '',
      submit_time: (AT + at) * 1000,
      image_url: `https://images.example/${at}`,
      status: 'SUCCESS',
      progress: '100%',
      fail_reason: '',
      channel_id: at % 2 ? 7 : 8,
      buttons: '',
      properties: '',
      action: 'IMAGINE',
    })
    insert(database, 'tasks', {
      task_id: `task${at}`,
      platform: 'suno',
      user_id,
      channel_id: 7,
      action: at % 2 ? 'MUSIC' : 'LYRICS',
      status: at % 3 ? 'SUCCESS' : 'FAILURE',
      fail_reason: '',
      created_at: AT,
      updated_at: AT,
      submit_time: AT + at,
      properties: at === 13 ? 'no json' : '{"input":"words"}',
      data: at === 13 ? '' : '[{"id":1}]',
    })
  }
})
afterAll(() => house.stop())

type Rows = { mj_id?: string; task_id?: string; channel_id: number }[]
const names = (rows: Rows) => rows.map(row => row.mj_id ?? row.task_id)

test.each(['mj', 'task'])(
  '%s: the old form has ten rows to a page, counted from 0, and the new one is asked for',
  async kind => {
    const { admin } = house
    const first = (await admin.get(`/api/${kind}/?p=0`)).json.data as Rows
    expect(names(first)).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4].map(at => `${kind}${at}`))
    expect(names((await admin.get(`/api/${kind}?p=1`)).json.data)).toHaveLength(3)
    const second = (await admin.get(`/api/${kind}/?p=2&page_size=5`)).json.data
    expect(second).toMatchObject({ total: 13, page: 2, page_size: 5 })
    expect(names(second.items)).toEqual([8, 7, 6, 5, 4].map(at => `${kind}${at}`))
  },
)

test.each([
  ['mj', 'mj_id=mj3', ['mj3']],
  ['mj', 'mj_id=mj', []],
  ['mj', `start_timestamp=${(AT + 3) * 1000}&end_timestamp=${(AT + 5) * 1000}`, ['mj5', 'mj4', 'mj3']],
  ['mj', 'channel_id=8&mj_id=', ['mj12', 'mj10', 'mj8', 'mj6', 'mj4', 'mj2']],
  ['task', 'task_id=task3', ['task3']],
  ['task', `start_timestamp=${AT + 12}&end_timestamp=NaN`, ['task13', 'task12']],
  ['task', 'platform=suno&status=FAILURE&action=LYRICS', ['task12', 'task6']],
  ['task', 'channel_id=9', []],
] as const)('%s?%s', async (kind, query, expected) => {
  expect(names((await house.admin.get(`/api/${kind}/?${query}`)).json.data)).toEqual([...expected])
})

test('everyone sees their own, and no channel', async () => {
  const { bob, alice } = house
  for (const kind of ['mj', 'task']) {
    const own = (await bob.get(`/api/${kind}/self/?channel_id=99`)).json.data as Rows
    expect([names(own), own[0]?.channel_id]).toEqual([[`${kind}13`], 0])
    expect((await alice.get(`/api/${kind}/self?${kind}_id=${kind}13`)).json.data).toEqual([])
  }
})

test('what is JSON is told as such, and what is not does no harm', async () => {
  const [broken, whole] = (await house.admin.get('/api/task/?p=0')).json.data
  expect([broken.properties, broken.data]).toEqual([{ input: '' }, null])
  expect([whole.properties, whole.data]).toEqual([{ input: 'words' }, [{ id: 1 }]])
})

test.each(['start_timestamp=x', 'p=x', 'channel_id=1e999'])('%s is refused in words', async query => {
  const answer = await house.admin.get(`/api/mj?${query}`)
  expect([answer.json.success, answer.json.message.startsWith('输入不合法')]).toEqual([false, true])
})
