import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '../../program.ts'
import { insert, type LogHouse, openLogHouse } from './log-house.ts'

let house: LogHouse
/** The beginning of a long-gone hour, so that nothing of this test is "the last minute". */
const HOUR = 1_700_002_800
const other = JSON.stringify({ model_ratio: 1, frt: 300, admin_info: { use_channel: ['7', '3'] } })

interface Row {
  id: number
  content: string
}
const contents = (answer: { json: { data: { items: Row[] } } }) =>
  answer.json.data.items.map(({ content }) => content)

beforeAll(async () => {
  house = await openLogHouse()
  const { database, addLog, alice, bob } = house
  insert(database, 'channels', {
    id: 3,
    type: 1,
    name: 'third',
    status: 1,
    key_hash: '',
    key_sealed: '',
    other: '',
    models: '',
    group: 'default',
    other_info: '',
    created_time: 1,
  })
  for (let at = 0; at < 25; at++) {
    const mine = at % 5 !== 0
    addLog({
      created_at: HOUR + at * 600,
      user_id: mine ? alice.userId : bob.userId,
      username: mine ? 'alice' : 'bob',
      type: at === 7 ? 5 : 2,
      token_name: at % 2 ? 'odd' : 'even',
      model_name: at % 3 ? 'gpt-4o' : 'claude_3',
      channel_id: 3,
      group: at % 4 ? 'default' : 'vip',
      quota: at,
      request_id: `r${at}`,
      content: `row ${at}`,
      other,
    })
  }
  addLog({
    created_at: HOUR + 30_000,
    type: 1,
    user_id: alice.userId,
    username: 'alice',
    quota: 500,
    content: 'a top-up',
  })
  // As the ledger would have written them.
  database.exec(
    'insert into usage_hourly (hour, user_id, token_id, channel_id, model_name, "group", requests, errors, quota, prompt_tokens, completion_tokens) ' +
      'select created_at - created_at % 3600, user_id, token_id, channel_id, model_name, "group", count(*), sum(type <> 2), sum(case type when 2 then quota else 0 end), sum(prompt_tokens), sum(completion_tokens) ' +
      "from logs where request_id <> '' group by 1, 2, 3, 4, 5, 6",
  )
})
afterAll(() => house.stop())

describe('the list', () => {
  test('has pages from 1, newest first, and says how many rows there are', async () => {
    const { admin } = house
    const first = await admin.get('/api/log/?p=0&page_size=10')
    expect(first.json.data).toMatchObject({ total: 26, total_is_estimate: false, page: 1, page_size: 10 })
    expect(contents(first).slice(0, 3)).toEqual(['a top-up', 'row 24', 'row 23'])
    const third = await admin.get('/api/log/?p=3&page_size=10')
    expect([contents(third).at(-1), third.json.data.total, third.json.data.page]).toEqual(['row 0', 26, 3])
    const beyond = await admin.get('/api/log/?p=9&page_size=10')
    expect(beyond.json.data).toMatchObject({ items: [], total: 26, page: 9 })
    expect((await admin.get('/api/log?page_size=5000')).json.data.page_size).toBe(100)
    expect((await admin.get('/api/log')).json.data.page_size).toBe(10)
    expect((await admin.get('/api/log?size=3')).json.data.items).toHaveLength(3)
  })

  test('goes on from a row, to older and to newer ones', async () => {
    const { admin } = house
    const start = (await admin.get('/api/log?p=2&page_size=5')).json.data.items as Row[]
    const last = start.at(-1)?.id ?? 0
    const older = await admin.get(`/api/log?before_id=${last}&page_size=4`)
    expect(contents(older)).toEqual(['row 15', 'row 14', 'row 13', 'row 12'])
    expect(older.json.data.total_is_estimate).toBe(true)
    const newer = await admin.get(`/api/log?after_id=${last}&page_size=4`)
    expect(contents(newer)).toEqual(['row 20', 'row 19', 'row 18', 'row 17'])
    expect(contents(await admin.get('/api/log?before_id=999999&page_size=2'))).toEqual(['a top-up', 'row 24'])
    expect(contents(await admin.get('/api/log/?after_id=999999'))).toEqual([])
  })

  const asked: [string, number][] = [
    ['type=0', 26],
    ['type=1', 1],
    ['type=5', 1],
    ['type=&channel=&group=', 26],
    ['username=bob', 5],
    ['username=nobody', 0],
    ['token_name=odd', 12],
    ['token_name=od', 0],
    ['model_name=claude', 9],
    ['model_name=GPT', 16],
    ['model_name=%25', 0],
    ['model_name=claude%253', 0],
    ['model_name=e_3', 9],
    ['model_name=t_4', 0],
    ['channel=3', 25],
    ['channel=4', 0],
    ['group=vip', 7],
    ['request_id=r7', 1],
    [`start_timestamp=${HOUR + 600}&end_timestamp=${HOUR + 1800}`, 3],
    [`start_timestamp=${HOUR + 600}&end_timestamp=NaN`, 25],
    ['username=alice&type=2&token_name=even&model_name=gpt', 6],
  ]
  test.each(asked)('%s is %d rows', async (query, total) => {
    const answer = await house.admin.get(`/api/log/?${query}&page_size=100`)
    expect([answer.json.data.items.length, answer.json.data.total]).toEqual([total, total])
  })

  test('shows administrators the channel, and owners only their own rows without it', async () => {
    const [row] = (await house.admin.get('/api/log?request_id=r24')).json.data.items
    expect(row).toMatchObject({
      channel: 3,
      channel_name: 'third',
      is_stream: false,
      other,
      token_name: 'even',
      quota: 24,
    })
    const own = (await house.alice.get('/api/log/self/?page_size=100&username=bob&channel=99')).json.data
    expect([own.total, new Set(own.items.map((item: { username: string }) => item.username))]).toEqual([
      21,
      new Set(['alice']),
    ])
    for (const item of own.items) expect([item.channel, item.channel_name]).toEqual([0, ''])
    expect(own.items[1].other).toBe(JSON.stringify({ model_ratio: 1, frt: 300 }))
    expect((await house.alice.get('/api/log/self?request_id=r5')).json.data.items).toEqual([])
  })

  test.each(['p=x', 'p=1e400', 'type=abc', `group=${'x'.repeat(3000)}`])(
    '%p is refused in words',
    async query => {
      const answer = await house.admin.get(`/api/log?${query}`)
      expect([answer.status, answer.json.success]).toEqual([200, false])
      expect(answer.json.message).toStartWith('输入不合法')
    },
  )

  test('a pattern of a thousand wildcards is only text', async () => {
    const answer = await house.admin.get(`/api/log?model_name=${'%25'.repeat(600)}${'_'.repeat(500)}`)
    expect(answer.json.data.items).toEqual([])
  })
})

describe('the sums', () => {
  const sums: [string, number][] = [
    ['', 293],
    ['type=1', 293],
    ['username=bob', 50],
    ['token_name=odd', 137],
    ['model_name=claude', 108],
    [`start_timestamp=${HOUR + 600}&end_timestamp=${HOUR + 1800}`, 6],
    [`start_timestamp=${HOUR + 1200}&end_timestamp=${HOUR + 11_000}`, 163],
  ]
  test.each(sums)('%p has quota %d', async (query, quota) => {
    expect((await house.admin.get(`/api/log/stat?${query}`)).json.data).toEqual({ quota, rpm: 0, tpm: 0 })
  })

  test('of one’s own rows, and of the last minute', async () => {
    const { alice, bob, addLog } = house
    expect((await bob.get('/api/log/self/stat')).json.data.quota).toBe(50)
    expect((await bob.get('/api/log/self/stat?username=alice')).json.data.quota).toBe(50)
    const now = Math.floor(Date.now() / 1000)
    for (const type of [2, 2, 5])
      addLog({
        created_at: now,
        type,
        user_id: bob.userId,
        prompt_tokens: 10,
        completion_tokens: 5,
        content: 'now',
      })
    expect((await bob.get('/api/log/self/stat')).json.data).toMatchObject({ rpm: 2, tpm: 30 })
    expect((await alice.get('/api/log/self/stat')).json.data).toMatchObject({ rpm: 0, tpm: 0 })
    house.database.exec("delete from logs where content = 'now'")
  })
})

describe('the old ways', () => {
  test('a search by type, name or text', async () => {
    const search = async (keyword: string) =>
      ((await house.admin.get(`/api/log/search?keyword=${keyword}`)).json.data as Row[]).length
    expect(await search('1')).toBe(13)
    expect(await search('bob')).toBe(5)
    expect(await search('top-up')).toBe(1)
    expect(await search('%25')).toBe(0)
    const own = (await house.bob.get('/api/log/self/search?keyword=row')).json.data
    expect(own).toHaveLength(5)
    expect(own[0]).toMatchObject({ channel: 0, channel_name: '' })
  })

  test('a token’s rows, for whoever has its key, from any page', async () => {
    const { alice, database, program } = house
    const created = await alice.post('/api/token/', { name: 'keyed', remain_quota: 5, expired_time: -1 })
    expect(created.json.success).toBe(true)
    const token = (await alice.get('/api/token/?p=0&size=10')).json.data[0] as { id: number; key: string }
    const now = Math.floor(Date.now() / 1000)
    house.addLog({
      created_at: now,
      user_id: alice.userId,
      token_id: token.id,
      channel_id: 3,
      content: 'by key',
      other,
    })
    house.addLog({ created_at: now, user_id: alice.userId, token_id: token.id + 1, content: 'not by key' })
    for (const key of [`sk-${token.key}`, token.key]) {
      const response = await fetch(`${program.url}/api/log/token?key=${key}`)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      const { data } = (await response.json()) as {
        data: { content: string; channel: number; other: string }[]
      }
      expect(data.map(row => [row.content, row.channel, row.other.includes('admin_info')])).toEqual([
        ['by key', 0, false],
      ])
    }
    for (const key of ['', 'sk-nobody', "sk-' OR '1'='1'--", 'x'.repeat(600)]) {
      const answer = await house.bob.get(`/api/log/token?key=${encodeURIComponent(key)}`)
      expect(answer.json).toEqual({ success: false, message: '无效的令牌', data: null })
    }
    database.exec("delete from logs where content like '%by key'")
  })
})

test('the money of one request, for its owner and for administrators', async () => {
  const { database, alice, bob, admin } = house
  insert(database, 'holds', {
    id: 'r24',
    node_id: 'n',
    user_id: alice.userId ?? 0,
    token_id: 9,
    amount: 24,
    token_amount: 24,
    held: 100,
    checkpoint: 5,
    charge: 24,
    state: 'settled',
    price: '{"kind":"ratio","modelRatio":1.5}',
    created_at: HOUR + 24 * 600 - 10,
    updated_at: HOUR + 24 * 600,
  })
  insert(database, 'ledger_entries', {
    kind: 'charge',
    ref: 'r24',
    user_id: alice.userId ?? 0,
    token_id: 9,
    user_amount: -24,
    token_amount: -24,
    created_at: HOUR + 24 * 600,
  })
  const own = (await alice.get('/api/log/trail/r24')).json.data
  expect(own).toMatchObject({
    request_id: 'r24',
    state: 'settled',
    held: 100,
    charged: 24,
    released: 76,
    checkpoint: 5,
    token_charged: 24,
    began_at: HOUR + 24 * 600 - 10,
    ended_at: HOUR + 24 * 600,
    price: { kind: 'ratio', modelRatio: 1.5 },
    entries: [{ kind: 'charge', user_amount: -24, token_amount: -24 }],
    channels: [],
  })
  expect(own.logs.map((row: Row & { channel: number }) => [row.content, row.channel])).toEqual([
    ['row 24', 0],
  ])
  expect((await admin.get('/api/log/trail/r24')).json.data.channels).toEqual([
    { id: 7, name: '' },
    { id: 3, name: 'third' },
  ])
  expect(own.refunded).toBe(0)
  insert(database, 'ledger_entries', {
    kind: 'refund',
    ref: 'r24',
    user_id: alice.userId ?? 0,
    token_id: 9,
    user_amount: 24,
    token_amount: 20,
    created_at: HOUR + 24 * 600 + 30,
  })
  expect((await alice.get('/api/log/trail/r24')).json.data).toMatchObject({
    charged: 24,
    released: 76,
    refunded: 24,
    entries: [
      { kind: 'charge', user_amount: -24 },
      { kind: 'refund', user_amount: 24, token_amount: 20, created_at: HOUR + 24 * 600 + 30 },
    ],
  })
  const absent = (await bob.get('/api/log/trail/nope')).text
  // Nothing was ever held for this one.
  const refused = (await alice.get('/api/log/trail/r7')).json.data
  expect(refused).toMatchObject({
    state: 'none',
    user_id: alice.userId,
    ended_at: HOUR + 7 * 600,
    charged: 0,
  })
  expect(contents({ json: { data: { items: refused.logs } } })).toEqual(['row 7'])
  expect((await admin.get('/api/log/trail/r7')).json.data.channels).toEqual([
    { id: 7, name: '' },
    { id: 3, name: 'third' },
  ])
  expect((await bob.get('/api/log/trail/r7')).text).toBe(absent)
  // And what the books have of this one is not there any more.
  expect((await alice.get('/api/log/trail/r23')).text).toBe(absent)
  expect((await bob.get('/api/log/trail/r24')).text).toBe(absent)
  expect((await alice.get(`/api/log/trail/${'x'.repeat(500)}`)).text).toBe(absent)
})

describe('the file', () => {
  test('has a mark, a head, every row, and nothing a spreadsheet would run', async () => {
    const { admin, alice, bob, addLog, database } = house
    addLog({
      created_at: HOUR,
      type: 4,
      user_id: bob.userId,
      username: '=1+1',
      content: '@cmd, "x"\r\nnext',
      other: '-2',
    })
    const answer = await admin.get('/api/log/export?type=4')
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toContain('attachment')
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
      await (
        await fetch(`${admin.url}/api/log/export?type=4`, { headers: { cookie: `session=${admin.cookie}` } })
      ).arrayBuffer(),
    )
    expect(text).toStartWith('\ufeffid,time,type,username,')
    const id = (database.query("select id from logs where username = '=1+1'").get() as { id: number }).id
    expect(text).toContain(
      `\r\n${id},2023-11-14T23:00:00.000Z,4,'=1+1,,,default,0,0,0,0,0,,"'@cmd, ""x""\r\nnext",'-2,0,,,\r\n`,
    )
    const own = (await alice.get('/api/log/self/export?username=bob')).text
    expect(own.split('\r\n')).toHaveLength(21 + 2)
    expect(own).not.toContain('channel')
    expect(own).not.toContain('admin_info')
    database.exec("delete from logs where username = '=1+1'")
  })
})

describe('clearing', () => {
  const clear = (query: string, by = house.root) => by.send('DELETE', `/api/log/${query}`)

  test('is for root alone, and wants a time', async () => {
    expect((await clear('?target_timestamp=5', house.admin)).json.message).toBe('无权进行此操作，权限不足')
    expect((await clear(`?target_timestamp=${HOUR}000`)).json.message).toContain('以秒为单位，而非毫秒')
    for (const query of ['', '?target_timestamp=0', '?target_timestamp=', '?target_timestamp=-5'])
      expect((await clear(query)).json.message).toBe('target timestamp is required')
  })

  test('removes what is older and answers how many; the books stay in order', async () => {
    const { root, database } = house
    const wrong = async () =>
      ((await root.get('/api/ledger/audit')).json.data.checks as { name: string; differences: number }[])
        .filter(({ name, differences }) => name === 'hourly sums = logs' && differences > 0)
        .map(({ name }) => name)
    database.exec('update logs set quota = 0 where type = 5')
    expect(await wrong()).toEqual([])
    expect((await clear(`?target_timestamp=${HOUR + 3000}`)).json.data).toBe(5)
    expect(database.query('select min(created_at) as oldest from logs').get()).toEqual({
      oldest: HOUR + 3000,
    })
    expect(await wrong()).toEqual([])
    // Sums are of the rows that are left, wherever the hours begin.
    for (const from of [0, HOUR, HOUR + 1200, HOUR + 3000, HOUR + 3600, HOUR + 4000]) {
      const left = database
        .query('select coalesce(sum(quota), 0) as quota from logs where type = 2 and created_at >= ?')
        .get(from) as { quota: number }
      const { data } = (await root.get(`/api/log/stat?start_timestamp=${from}`)).json
      expect([from, data.quota]).toEqual([from, left.quota])
    }
    expect((await clear(`?target_timestamp=${HOUR + 3000}`)).json.data).toBe(0)
    expect((await clear('?target_timestamp=99999999999')).json.data).toBe(21)
    const work = await until(async () =>
      (await root.get('/api/channel/work')).json.data.find(
        ({ name, running }: { name: string; running: boolean }) => name === 'clear-logs' && !running,
      ),
    )
    expect([work.total, work.done]).toEqual([21, 21])
    expect(await wrong()).toEqual([])
    expect((await root.get('/api/log/stat')).json.data.quota).toBe(0)
  })
})
