import { afterAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { freshDataDir } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { digestOf, fillLitellm, type LitellmTables } from './litellm-tables.ts'
import { run } from './older-house.ts'

const engineOf = (name: string) => engines.find(engine => engine.name === name)
const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000)
afterAll(dropAll)

const odd = (): LitellmTables => {
  const key = (name: string, more: object) => ({ token: digestOf(name), key_alias: name, ...more })
  return {
    LiteLLM_UserTable: [
      { user_id: 'a-root', user_alias: 'root', max_budget: 'NaN', spend: 1 },
      { user_id: 'b-unseen', user_alias: 'ro\u200bot', user_email: 'Same@example.com', max_budget: -3 },
      { user_id: 'c-same', user_alias: '王'.repeat(80), user_email: 'same@EXAMPLE.com', max_budget: '1e300' },
      {
        user_id: 'd-same',
        user_alias: '王'.repeat(80),
        user_email: 'no address',
        max_budget: 2,
        spend: 'NaN',
      },
      { user_id: 'e', user_alias: '👩‍💻', max_budget: 2, spend: -5, created_at: '-infinity' },
      { user_id: '', max_budget: 'Infinity', spend: '1e300', rpm_limit: '9223372036854775807' },
      { user_id: "f'; --\t", user_alias: ' ', max_budget: 0.000001, spend: 0, tpm_limit: -1 },
    ],
    LiteLLM_TeamTable: [{ team_id: 't', team_alias: 'root', blocked: true, max_budget: 1, spend: 0.1 }],
    LiteLLM_VerificationToken: [
      { token: 'sk-kept-as-it-is', key_alias: 'open' },
      { token: digestOf('x').toUpperCase(), key_alias: 'large letters' },
      key('nan', { user_id: 'e', max_budget: 'NaN', expires: 'infinity' }),
      key('huge', { user_id: 'e', max_budget: '1e308', spend: '1e10', expires: '0001-01-01 BC' }),
      key('endless', { user_id: '', max_budget: 'Infinity', spend: '-Infinity', metadata: 'null' }),
      key('below', { user_id: 'e', max_budget: -1, budget_duration: '1d' }),
      key('owed', { user_id: 'e', max_budget: 4, spend: -2, budget_duration: '5m' }),
      key('far', {
        user_id: 'e',
        max_budget: 4,
        spend: 1,
        budget_duration: '7d',
        budget_reset_at: inDays(9999),
      }),
      key('due', {
        user_id: 'e',
        max_budget: 4,
        spend: 4,
        budget_duration: '1mo',
        budget_reset_at: inDays(-2),
      }),
      key('none', { user_id: 'e', max_budget: 4, budget_duration: 'None', budget_id: 'no such' }),
      key('名前\u202e\n😀', { user_id: 'e', models: ['a,b', '', ' c ', 'x/*', 'ünï'], aliases: '[]' }),
      key('n'.repeat(300), { user_id: 'e', models: ['no-default-models'], tpm_limit: '9223372036854775807' }),
    ],
    LiteLLM_BudgetTable: [{ budget_id: 'b', max_budget: '1e300', budget_duration: '1d' }],
    LiteLLM_TeamMembership: [
      { user_id: 'e', team_id: 't', spend: 'NaN', budget_id: 'b' },
      { user_id: 'e', team_id: 'u', budget_id: 'no such' },
    ],
    LiteLLM_DeprecatedVerificationToken: [{ id: '1', token: digestOf('y') }],
  }
}

test.each(['postgres', 'mariadb'])('odd content makes no money and opens no door (%s)', async name => {
  const from = (await engineOf('postgres')?.emptyUrl()) ?? ''
  await fillLitellm(from, odd())
  const DATABASE_URL = (await engineOf(name)?.freshUrl()) ?? ''
  const target = { DATA_DIR: freshDataDir(), DATABASE_URL }
  const { code, out, err } = await run(target, 'import', from, '--wallet=1')
  expect([code, err]).toEqual([0, ''])
  for (const said of [
    ...['user root-2: a budget of NaN becomes 0', 'a budget of -3 becomes 0'],
    ...['a budget of 1e+300 becomes 2000000000', 'NaN as what was spent counts as all'],
    ...['user 👩‍💻: -5 as what was spent counts as nothing', 'is banned, as there its limit was 0'],
    ...['team root-3: is banned, as there it was blocked', 'without the address no address, which is none'],
    ...['key open: left out', 'key large letters: left out', 'key nan: a budget of NaN becomes 0'],
    ...[
      'renewed every 5m, which nothing here is',
      'may use a,b, which no model',
      'may use x/*, which no model',
    ],
    ...['1 budget of a member is left out, for that one is in no such team here', '1 former key that'],
    '1 account had no budget there: it has 1 dollar here\n',
  ])
    expect(out).toContain(said)
  const sql = new SQL(DATABASE_URL, { max: 1 })
  const read = async (table: string, columns: string) =>
    (await sql.unsafe(`select ${columns} from ${table} order by id`)) as Record<string, unknown>[]
  const users = await read('users', 'username, quota, status, email')
  const most = 1_000_000_000_000_000
  expect(users.map(each => [each.username, Number(each.quota), Number(each.status), each.email])).toEqual([
    ['litellm', 500_000, 1, null],
    ['root-2', 0, 1, null],
    ['Same', 0, 1, 'same@example.com'],
    ['王'.repeat(50), most, 1, null],
    [`${'王'.repeat(50)}-2`, 0, 1, null],
    ['👩‍💻', 1_000_000, 1, null],
    ["f'; --", 1, 2, null],
    ['root-3', 450_000, 2, null],
  ])
  const tokens = await read(
    'tokens',
    'name, remain_quota, unlimited_quota, refill_period, expired_time, model_limits, tpm',
  )
  const told = new Map(
    tokens.map(each => [
      String(each.name).slice(0, 20),
      [Number(each.remain_quota), Number(each.unlimited_quota), each.refill_period],
    ]),
  )
  expect(Object.fromEntries(told)).toEqual({
    nan: [0, 0, 'none'],
    huge: [0, 0, 'none'],
    endless: [0, 1, 'none'],
    below: [0, 0, 'none'],
    owed: [2_000_000, 0, 'none'],
    far: [1_500_000, 0, 'week'],
    due: [0, 0, 'month'],
    none: [2_000_000, 0, 'none'],
    '名前\u202e\n😀': [0, 1, 'none'],
    [`${'n'.repeat(20)}`]: [0, 1, 'none'],
  })
  const of = (start: string) => tokens.find(each => String(each.name).startsWith(start))
  expect([of('huge')?.expired_time, of('nan')?.expired_time].map(Number)).toEqual([0, -1])
  expect([of('名')?.model_limits, of('nnn')?.model_limits]).toEqual(['c,ünï', 'no-default-models'])
  await sql.close()
  expect(await run(target, 'audit')).toMatchObject({ code: 0 })
  expect((await run(target, 'import', from)).out).toMatch(/^into [^\n]*\n {2}! \d+ accounts have come before/)
})
