import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { freshDataDir } from '../program.ts'
import { makeOlder, newApi } from './older-database.ts'
import { CODE, LONG_AGO, logs, options, peopleOf, redemptions, run, tokens } from './older-house.ts'

const channel = {
  ...{ id: 11, type: 1, key: 'sk-upstream', status: 1, name: 'main', weight: 5, created_time: LONG_AGO },
  ...{ base_url: '', other: '', balance: 0, group: 'default', used_quota: 0, model_mapping: '', priority: 0 },
  models: new TextEncoder().encode('gpt-4o'),
}

test('what nothing holds together in the older database stops nothing: twice the same, ends, times, bytes', async () => {
  const older = join(freshDataDir(), 'one-api.db')
  const people = await peopleOf()
  const [root = {}, wang = {}] = people
  const [laptop = {}] = tokens
  const [code = {}] = redemptions
  const again = (row: object, more: object) => ({ ...row, id: 90, ...more })
  await makeOlder(
    'sqlite',
    older,
    { ...newApi, redemptions: { ...newApi.redemptions, expired_time: 'number' } },
    {
      users: [...people, again(wang, { username: 'wang ', email: '', access_token: root.access_token })],
      tokens: [laptop, again(laptop, { name: 'twin' })],
      redemptions: [
        { ...code, expired_time: LONG_AGO },
        again(code, { key: `${CODE} ` }),
        { ...code, id: 91, key: 'lasting', expired_time: 4_000_000_000 },
        { ...code, id: 92, key: 'endless', expired_time: 0 },
      ],
      channels: [channel],
      options: [...options, { key: 'oidc.client_id', value: 'a' }, { key: 'OIDCClientId', value: 'b' }],
      logs: logs.map((row, at) => (at === 0 ? { ...row, created_at: LONG_AGO * 1e6 } : row)),
    },
  )
  const environment = { DATA_DIR: freshDataDir() }
  const { code: exit, out, err } = await run(environment, 'import', older)
  expect([exit, err]).toEqual([0, ''])
  for (const said of [
    'user wang: is now wang-90, for another has that name',
    "user wang-90: without the system access token, which is another's",
    'token 90: left out, for another has its key',
    'redemption code 90: left out, for it is there already',
    '1 log row is left out, for the time that it has',
  ])
    expect(out).toContain(said)
  const house = new Database(join(environment.DATA_DIR, 'tollgate.db'))
  expect(house.query('select key, status, expired_time from redemptions order by id').values()).toEqual([
    [CODE, 1, LONG_AGO],
    ['lasting', 1, 4_000_000_000],
    ['endless', 1, 0],
  ])
  expect(house.query('select models from channels').values()).toEqual([['gpt-4o']])
  house.close()
  expect(await run(environment, 'audit')).toMatchObject({ code: 0 })
})

test('numbers, hashes and ranks that somebody has put into the older database open nothing here', async () => {
  const older = join(freshDataDir(), 'one-api.db')
  const people = await peopleOf()
  const [, wang = {}] = people
  const [laptop = {}] = tokens
  const [code = {}] = redemptions
  const other = (id: number | bigint, more: object) => ({
    ...{ ...wang, id, username: `u${id}`, email: '', github_id: '', aff_code: '', access_token: '' },
    ...more,
  })
  const dear = '$argon2id$v=19$m=4194304,t=9999,p=1$c29tZXNhbHRzb21lc2FsdA$'.concat('A'.repeat(43))
  await makeOlder('sqlite', older, newApi, {
    users: [
      ...people,
      other(9_007_199_254_740_991n, {}),
      other(20, { password: dear, username: 'u20\x1b[2J\u202e' }),
      other(21, { password: `$2a$31$${'a'.repeat(53)}`, access_token: 'x' }),
      other(22, { role: 10, quota: 9_007_199_254_740_993n, username: '"); drop table users; --' }),
      other(23, { username: '__proto__', group: '__proto__', display_name: '=cmd|x!A1' }),
    ],
    tokens: [laptop, { ...laptop, id: 9_007_199_254_740_991n, key: 'z'.repeat(48) }],
    redemptions: [code, { ...code, id: 9_007_199_254_740_990n, key: 'far' }],
    channels: [
      { ...channel, balance: 1e300 },
      { ...channel, id: 9_007_199_254_740_991n, key: 'sk-far' },
      { ...channel, id: 12, key: 'sk-other', balance: Number.POSITIVE_INFINITY },
    ],
    options: [
      { key: '__proto__', value: '{}' },
      { key: 'constructor', value: '{}' },
      { key: 'GroupRatio', value: '{"default":1e400,"vip":-1}' },
      { key: 'QuotaForNewUser', value: '1e300' },
      { key: 'PreConsumedQuota', value: 'NaN' },
    ],
    logs: [],
  })
  const environment = { DATA_DIR: freshDataDir() }
  const { code: exit, out, err } = await run(environment, 'import', older)
  expect([exit, err]).toEqual([0, ''])
  for (const said of [
    'user u20�[2J�: without the password',
    'user u21: without the password',
    'user u21: without the system access token, which is too short',
    'user root: is a super administrator',
    'is an administrator',
    'setting GroupRatio: left as it is here',
  ])
    expect(out).toContain(said)
  const house = new Database(join(environment.DATA_DIR, 'tollgate.db'))
  const all = (text: string) => house.query(text).values().flat()
  expect(all('select id from users order by id')).toEqual([1, 7, 9, 20, 21, 22, 23])
  expect(all('select quota from users where id = 22')).toEqual([0])
  expect(all('select password_hash from users where id in (20, 21)')).toEqual(['', ''])
  for (const table of ['tokens', 'channels', 'redemptions'])
    expect(Math.max(...(all(`select id from ${table}`) as number[]))).toBeLessThan(1000)
  expect(all('select balance from channels')).toEqual([0, 0])
  house.close()
  expect(await run(environment, 'audit')).toMatchObject({ code: 0 })
})

test('what was used up, had ended, was switched off or deleted in the older database is worth nothing more here', async () => {
  const older = join(freshDataDir(), 'one-api.db')
  const [root = {}, wang = {}, banned = {}] = await peopleOf()
  const [laptop = {}, unlimited = {}] = tokens
  const [code = {}] = redemptions
  const deleted_at = '2024-01-02 03:04:05'
  const coded = (id: number, more: object) => ({ ...code, id, key: `code-${id}`, ...more })
  const held = (id: number, more: object) => ({ ...laptop, id, key: `${id}`.repeat(24), ...more })
  await makeOlder('sqlite', older, newApi, {
    users: [
      root,
      { ...wang, aff_count: 2, aff_quota: 600_000, aff_history: 900_000 },
      { ...banned, aff_count: -1, aff_quota: -600_000, aff_history: -5 },
    ],
    tokens: [
      unlimited,
      held(20, { deleted_at }),
      held(21, { expired_time: LONG_AGO, status: 3 }),
      held(22, { status: 2 }),
      held(23, { status: 9 }),
      held(24, { remain_quota: -7, status: 4 }),
    ],
    redemptions: [
      coded(30, { deleted_at }),
      coded(31, { status: 2 }),
      coded(32, { status: 3, redeemed_time: LONG_AGO, used_user_id: 7 }),
      coded(33, { status: 7 }),
      coded(34, { quota: -700 }),
    ],
    channels: [],
    options: [],
    logs: [],
  })
  const environment = { DATA_DIR: freshDataDir() }
  const { code: exit, out, err } = await run(environment, 'import', older)
  expect([exit, err]).toEqual([0, ''])
  expect(out).toContain('redemption code 34: left out')
  const house = new Database(join(environment.DATA_DIR, 'tollgate.db'))
  const all = (text: string) => house.query(text).values()
  expect(all('select id, aff_count, aff_quota, aff_history_quota from users order by id')).toEqual([
    [1, 0, 0, 0],
    [7, 2, 600_000, 900_000],
    [9, 0, 0, 0],
  ])
  const columns = 'id, status, expired_time, remain_quota, unlimited_quota'
  expect(all(`select ${columns} from tokens order by id`)).toEqual([
    [4, 1, -1, 0, 1],
    [21, 3, LONG_AGO, 2_000_000, 0],
    [22, 2, -1, 2_000_000, 0],
    [23, 2, -1, 2_000_000, 0],
    [24, 4, -1, 0, 0],
  ])
  expect(all('select id, status, used_user_id from redemptions order by id')).toEqual([
    [31, 2, 0],
    [32, 3, 7],
    [33, 2, 0],
  ])
  house.close()
  expect(await run(environment, 'audit')).toMatchObject({ code: 0 })
})
