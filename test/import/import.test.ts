import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { SQL } from 'bun'
import { Client } from '../client.ts'
import { freshDataDir, withProgram } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { type FakeUpstream, startOpenai } from '../upstreams/index.ts'
import { makeOlder, newApi, oneApi } from './older-database.ts'
import { CODE, LONG_AGO, logs, options, peopleOf, redemptions, run, tokens, WANG_KEY } from './older-house.ts'

afterAll(dropAll)

let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await startOpenai({ key: 'sk-upstream' })
})
afterAll(() => upstream.stop())

function openaiChannel(more: object = {}): Readonly<Record<string, unknown>> {
  return {
    ...{
      id: 11,
      type: 1,
      key: 'sk-upstream',
      status: 1,
      name: 'main',
      weight: 5,
      created_time: 1_700_000_000,
    },
    ...{ test_time: 0, response_time: 0, base_url: upstream.url, other: '', balance: 1.5 },
    ...{ balance_updated_time: 0, models: 'gpt-4o,gpt-4o-mini', group: 'default,vip', used_quota: 77 },
    ...{ model_mapping: '', priority: 3 },
    ...more,
  }
}

const chat = (url: string, key: string) =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 50 }),
  })

const dayOf = (time: number): number => time - (time % 86_400)

async function changedDays(url: string): Promise<number[]> {
  const database = new SQL(url)
  const rows: { day: number | string }[] = await database`select day from changed_days order by day`
  await database.close()
  return rows.map(({ day }) => Number(day))
}

/** Each engine as the one that is left, and another as the one that is come to. */
const ways = [
  ['sqlite', 'postgres'],
  ['postgres', 'mariadb'],
  ['mariadb', 'sqlite'],
] as const

describe.each(ways)('from new-api on %s to %s', (from, to) => {
  test('people go on with their keys, passwords and balances, and the books are right', async () => {
    const older = from === 'sqlite' ? join(freshDataDir(), 'one-api.db') : await urlOf(from)
    await makeOlder(from, older, newApi, {
      users: [
        ...(await peopleOf()),
        {
          ...{ id: 20, username: 'gone', password: '', display_name: 'gone', role: 1, status: 1, quota: 8 },
          ...{ used_quota: 0, request_count: 0, group: 'default', aff_code: 'GONE', inviter_id: 0 },
          deleted_at: from === 'sqlite' ? '2024-05-06 07:08:09.123456789+08:00' : new Date(1_715_000_000_000),
        },
      ],
      // SQLite keeps in a text what other engines do not.
      tokens: from === 'sqlite' ? tokens.map(row => ({ ...row, name: `\0${row.name}` })) : tokens,
      redemptions,
      options,
      logs: logs.map(row => ({ ...row, token_id: 3, group: 'vip', use_time: 2, other: '{"frt":300}' })),
      channels: [
        openaiChannel({ auto_ban: 0, tag: 'fast', setting: '' }),
        openaiChannel({ id: 12, name: 'strange', type: 977 }),
        openaiChannel({ id: 13, name: 'broken', model_mapping: '{oops' }),
        openaiChannel({
          id: 14,
          name: 'kling',
          type: 50,
          key: 'AK-kling|SK-kling',
          base_url: '',
          models: 'kling-v1',
        }),
      ],
    })
    const environment = { DATA_DIR: freshDataDir(), DATABASE_URL: await urlOf(to) }
    const { code, out, err } = await run(environment, 'import', older)
    expect(err).toBe('')
    expect(code).toBe(0)
    // What anybody knew of the days that have come is not so any more.
    const days = new Set(logs.map(row => dayOf(Number(row.created_at))))
    expect(await changedDays(environment.DATABASE_URL)).toEqual([...days].sort((a, b) => a - b))
    expect(out).toMatch(
      /4 users\n +2 tokens\n +2 channels\n +2 redemption codes\n +6 settings\n +4 log rows\n/,
    )
    for (const said of [
      'user banned: a balance of -40 becomes 0',
      'user banned: without the address wang@example.com',
      'user banned: without github_id gh-wang',
      'token 5: left out',
      'channel 12 (strange): left out: nothing here speaks to upstreams of type 977',
      'channel 13 (broken): left out',
      'setting RetryTimes: left as it is here',
    ])
      expect(out).toContain(said)
    for (const secret of [WANG_KEY, 'sk-upstream', 'smtp-secret', CODE]) expect(out).not.toContain(secret)

    await withProgram(environment, async ({ url, setupToken }) => {
      expect(setupToken).toBeUndefined()
      const wang = new Client(url)
      expect((await wang.login('wang', 'wang-pass')).json.data).toMatchObject({ id: 7, display_name: '王' })
      expect((await wang.get('/api/user/self/groups')).json.data).toMatchObject({
        ...{ default: { ratio: 0.8 }, vip: { ratio: 2 }, auto: { ratio: 2, desc: 'default → vip' } },
      })
      expect((await wang.get('/api/status')).json.data.default_use_auto_group).toBe(true)
      const self = async () => (await wang.get('/api/user/self')).json.data
      expect(await self()).toMatchObject({
        ...{ quota: 5_000_000, used_quota: 123, request_count: 9, group: 'vip', inviter_id: 1 },
        ...{ email: 'wang@example.com', github_id: 'gh-wang' },
      })
      // The hash was replaced by a better one at the login, and the password is still right.
      expect((await new Client(url).login('wang', 'wang-pass')).json.success).toBe(true)
      expect((await new Client(url).login('banned', 'banned-pass')).json.success).toBe(false)
      expect((await new Client(url).login('gone', '')).json.success).toBe(false)

      const own = (await wang.get('/api/token/?p=0&size=10')).json.data
      expect(own).toMatchObject([
        { id: 4, name: 'no limit', unlimited_quota: true, remain_quota: 0, used_quota: 99 },
        { id: 3, name: 'laptop', key: WANG_KEY, remain_quota: 2_000_000, used_quota: 55 },
      ])
      const past = (await wang.get('/api/log/self?p=1&page_size=10')).json.data
      expect(past.total).toBe(4)
      expect(past.items.map((row: { quota: number }) => row.quota)).toEqual([7, 0, 23, 100])
      expect(past.items[3]).toMatchObject({
        ...{
          created_at: LONG_AGO,
          model_name: 'gpt-4o',
          token_name: 'laptop',
          group: 'vip',
          is_stream: true,
        },
        ...{
          prompt_tokens: 10,
          completion_tokens: 5,
          use_time: 2,
          content: '模型倍率 1.25',
          other: '{"frt":300}',
        },
      })
      const of = `start_timestamp=${LONG_AGO - 9999}&end_timestamp=${LONG_AGO + 99_999}`
      expect((await wang.get(`/api/log/self/stat?type=2&${of}`)).json.data.quota).toBe(130)
      const days = (await wang.get(`/api/data/self/?${of}`)).json.data
      expect(days.map((row: { quota: number; count: number }) => [row.quota, row.count])).toEqual([
        [123, 2],
        [7, 1],
      ])
      const answer = await chat(url, WANG_KEY)
      expect(answer.status).toBe(200)
      // With its last byte it is paid.
      await answer.text()
      const { quota, request_count } = await self()
      const [, laptop] = (await wang.get('/api/token/?p=0&size=10')).json.data
      expect(request_count).toBe(10)
      expect(quota).toBeLessThan(5_000_000)
      expect(laptop.remain_quota).toBe(2_000_000 - (5_000_000 - quota))

      expect((await wang.post('/api/user/topup', { key: CODE })).json).toMatchObject({
        success: true,
        data: 700,
      })
      expect((await wang.post('/api/user/topup', { key: `f${CODE.slice(1)}` })).json.success).toBe(false)

      const root = new Client(url)
      expect((await root.login('root', 'old-root-pass')).json.success).toBe(true)
      const byToken = await fetch(`${url}/api/user/self`, { headers: { authorization: 'a'.repeat(32) } })
      expect(await byToken.json()).toMatchObject({ data: { username: 'root' } })
      const { data } = (await root.get('/api/channel/11')).json
      const kling = (await root.get('/api/channel/14')).json.data
      expect(kling).toMatchObject({ type: 50, name: 'kling', models: 'kling-v1', base_url: '' })
      expect(data).toMatchObject({
        name: 'main',
        priority: 3,
        weight: 5,
        auto_ban: 0,
        tag: 'fast',
        balance: 1.5,
      })
      expect((await root.get('/api/status')).json.data.system_name).toBe('老王的站')
      const saved = (await root.get('/api/option/')).json
      expect(saved.secrets_set).toContain('SMTPToken')
      // What is new gets numbers of its own.
      expect((await root.post('/api/user/', { username: 'li', password: 'li-password' })).json.message).toBe(
        '',
      )
      expect((await root.post('/api/token/', { name: 'new', unlimited_quota: true })).json.message).toBe('')
    })
    expect(await run(environment, 'audit')).toMatchObject({ code: 0, err: '' })
  })
})

async function urlOf(name: 'sqlite' | 'postgres' | 'mariadb'): Promise<string> {
  const engine = engines.find(one => one.name === name)
  if (!engine) throw new Error(`no engine ${name}`)
  return engine.emptyUrl()
}

test('from one-api: kinds of channels under other numbers, what stands in config, lists that hold by themselves', async () => {
  const older = join(freshDataDir(), 'one-api.db')
  const listed = { models: 'gpt-4o-mini', subnet: '10.0.0.0/8' }
  const [laptop = {}, open = {}] = tokens
  const [root, ...others] = await peopleOf()
  await makeOlder('sqlite', older, oneApi, {
    // A name at GitHub, which whoever has that number there is not.
    users: [{ ...root, github_id: '583231' }, ...others],
    tokens: [
      { ...laptop, ...listed },
      { ...open, subnet: '10.0.0.0/8, somewhere' },
    ],
    redemptions,
    options,
    logs,
    channels: [
      openaiChannel(),
      openaiChannel({ id: 12, name: 'mistral', type: 28, base_url: '', system_prompt: ' Be brief. ' }),
      openaiChannel({ id: 13, name: 'step', type: 32, base_url: '' }),
      openaiChannel({ id: 14, name: 'reseller', type: 7 }),
      openaiChannel({ id: 15, name: 'reseller without address', type: 7, base_url: '' }),
      openaiChannel({
        ...{ id: 16, name: 'aws', type: 33, key: 'AK|SK|us-east-1', base_url: '' },
        config: '{"ak":"AK2","sk":"SK2","region":"eu-west-1"}',
      }),
      openaiChannel({ id: 17, name: 'azure', type: 3, config: '{"api_version":"2024-10-21"}' }),
      openaiChannel({
        ...{ id: 18, name: 'vertex', type: 42, key: 'ignored', base_url: '' },
        config: JSON.stringify({
          region: 'us-east5',
          vertex_ai_adc: '{"client_email":"a@b","private_key":"k","project_id":"p"}',
        }),
      }),
    ],
  })
  const environment = { DATA_DIR: freshDataDir() }
  const { code, out } = await run(environment, 'import', older, '--without-log')
  expect(code).toBe(0)
  expect(out).toContain('8 channels')
  expect(out).not.toContain('log rows')
  expect(out).toContain('token 4 (no limit): disabled')
  expect(out).toContain('user root: without github_id 583231')
  await withProgram(environment, async ({ url }) => {
    const root = new Client(url)
    await root.login('root', 'old-root-pass')
    const { data } = (await root.get('/api/channel/?p=0&page_size=50&id_sort=true')).json
    const seen = data.map((one: Record<string, unknown>) => [one.id, one.type, one.base_url, one.other])
    expect(seen.toSorted((a: number[], b: number[]) => (a[0] ?? 0) - (b[0] ?? 0))).toEqual([
      [11, 1, upstream.url, ''],
      [12, 42, '', ''],
      [13, 1, 'https://api.stepfun.com', ''],
      [14, 1, upstream.url, ''],
      [15, 1, 'https://api.ohmygpt.com', ''],
      [16, 33, '', ''],
      [17, 3, upstream.url, '2024-10-21'],
      [18, 41, '', 'us-east5'],
    ])
    const told = data.find((one: { id: number }) => one.id === 12)
    expect(JSON.parse(told.setting)).toEqual({ system_prompt: 'Be brief.', system_prompt_override: true })
    const wang = new Client(url)
    await wang.login('wang', 'wang-pass')
    expect((await wang.get('/api/token/?p=0&size=10')).json.data).toMatchObject([
      { id: 4, status: 2, allow_ips: null, model_limits_enabled: false },
      { id: 3, status: 1, allow_ips: '10.0.0.0/8', model_limits_enabled: true, model_limits: 'gpt-4o-mini' },
    ])
    // From here, and for another model: no.
    expect((await chat(url, WANG_KEY)).status).toBe(403)
  })
})

test('from new-api: what channels want otherwise in requests comes along, and where it cannot they are off', async () => {
  const older = join(freshDataDir(), 'one-api.db')
  const steps = (...operations: object[]) => JSON.stringify({ operations })
  const named = (id: number, name: string, more: object) =>
    openaiChannel({ id, name, models: `m-${name}`, header_override: '', setting: '', ...more })
  await makeOlder('sqlite', older, newApi, {
    users: await peopleOf(),
    tokens,
    redemptions,
    options: [...options, { key: 'ModelRatio', value: '{"m-both":1}' }],
    logs: [],
    channels: [
      named(11, 'both', {
        setting: '{"proxy":"","thinking_to_content":true,"pass_through_body_enabled":false}',
        param_override: steps({ mode: 'set', path: 'user', value: 'house' }),
        header_override: '{"X-House":"yes","re:^x-tag$":""}',
      }),
      named(12, 'merged', { param_override: '{"temperature":0.5}' }),
      named(13, 'wrong', { param_override: steps({ mode: 'set', path: 'stream', value: false }) }),
      named(14, 'broken', { param_override: '{oops', header_override: '{"X-A":1}' }),
      named(15, 'none', { param_override: '{}', header_override: 'null' }),
    ],
  })
  const environment = { DATA_DIR: freshDataDir() }
  const { code, out } = await run(environment, 'import', older)
  expect([code, out.includes('5 channels')]).toEqual([0, true])
  expect(out).toContain(
    'channel 13 (wrong): off, because it comes without param_override: operations[0].path cannot change stream',
  )
  expect(out).toContain(
    'channel 14 (broken): off, because it comes without param_override: it is no JSON object',
  )
  await withProgram(environment, async ({ url }) => {
    const root = new Client(url)
    await root.login('root', 'old-root-pass')
    const of = async (id: number) => {
      const { status, setting } = (await root.get(`/api/channel/${id}`)).json.data
      return [status, setting ? JSON.parse(setting) : '']
    }
    expect(await of(12)).toEqual([1, { param_override: { temperature: 0.5 } }])
    expect(await of(13)).toEqual([2, ''])
    expect(await of(14)).toEqual([2, { header_override: { 'X-A': '1' } }])
    expect(await of(15)).toEqual([1, ''])
    const asked = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer sk-${WANG_KEY}`,
        'content-type': 'application/json',
        'x-tag': 'blue',
      },
      body: JSON.stringify({
        model: 'm-both',
        messages: [{ role: 'user', content: 'Hello' }],
        max_tokens: 50,
      }),
    })
    expect(asked.status).toBe(200)
    const seen = upstream.requests.at(-1)
    expect([seen?.json, seen?.headers]).toMatchObject([
      { user: 'house' },
      { 'x-house': 'yes', 'x-tag': 'blue' },
    ])
  })
})
