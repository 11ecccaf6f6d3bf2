// What LiteLLM's users, teams and members may spend in each of their periods comes as limits of spending.
import { afterAll, expect, test } from 'bun:test'
import { audit } from '../../server/ledger/audit.ts'
import { freshDataDir } from '../program.ts'
import { SECRET_KEY } from '../relay/rig.ts'
import { openSampleStore } from '../sample-store.ts'
import { dropAll, engines } from '../services/databases.ts'
import { addToLitellm, fillLitellm, type LitellmTables } from './litellm-tables.ts'
import { run } from './older-house.ts'

afterAll(dropAll)

const NOW = Math.floor(Date.now() / 1000)
const inDays = (days: number): Date => new Date((NOW + days * 86_400) * 1000)
const withRoles = (...users: string[]) => JSON.stringify(users.map(user_id => ({ role: 'user', user_id })))

const house: LitellmTables = {
  LiteLLM_BudgetTable: [
    { budget_id: 'for-good', max_budget: 2 },
    { budget_id: 'weekly', max_budget: 1, budget_duration: '7d', budget_reset_at: inDays(3) },
    { budget_id: 'often', max_budget: 1, budget_duration: '90m' },
    { budget_id: 'endless', max_budget: null, rpm_limit: 5 },
  ],
  LiteLLM_UserTable: [
    { user_id: 'u-anna', user_alias: 'Anna', max_budget: 4, spend: 1, budget_duration: '5h' },
    { user_id: 'u-bo', user_alias: 'Bo', max_budget: 4, spend: 1, budget_duration: '12h' },
    { user_id: 'u-cy', user_alias: 'Cy', max_budget: 0, spend: 1, budget_duration: '1d' },
  ],
  LiteLLM_TeamTable: [
    {
      ...{ team_id: 't-1', team_alias: 'Research', max_budget: 10, spend: 4, budget_duration: '30d' },
      ...{ budget_reset_at: inDays(9), members_with_roles: withRoles('u-anna', 'u-bo', 'u-cy') },
    },
    // More than are read at once, and one person in all of them.
    ...Array.from({ length: 510 }, (_, at) => ({
      ...{ team_id: `many-${at}`, team_alias: `Many ${at}`, members_with_roles: withRoles('u-bo') },
    })),
  ],
  LiteLLM_TeamMembership: [
    { user_id: 'u-anna', team_id: 't-1', spend: 0.5, budget_id: 'for-good' },
    { user_id: 'u-bo', team_id: 't-1', spend: 0.25, budget_id: 'weekly' },
    { user_id: 'u-cy', team_id: 't-1', spend: 0.25, budget_id: 'often' },
    { user_id: 'u-lost', team_id: 't-1', spend: 0, budget_id: 'weekly' },
    { user_id: 'u-anna', team_id: 't-unknown', spend: 0, budget_id: null },
    { user_id: 'u-cy', team_id: 'many-1', spend: 0, budget_id: 'endless' },
    ...Array.from({ length: 510 }, (_, at) => ({
      ...{ user_id: 'u-bo', team_id: `many-${at}`, spend: 0, budget_id: 'for-good' },
    })),
  ],
}

test.each(engines.map(engine => [engine.name, engine] as const))(
  'budgets that were renewed, and those of members, with what was spent of them (%s)',
  async (_name, engine) => {
    const from = (await engines.find(({ name }) => name === 'postgres')?.emptyUrl()) ?? ''
    await fillLitellm(from, house)
    const DATABASE_URL = await engine.freshUrl()
    const target = { DATA_DIR: freshDataDir(), DATABASE_URL, SECRET_KEY }
    const { code, out, err } = await run(target, 'import', from)
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/ 3 limits of accounts\n/)
    expect(out).toMatch(/ 513 limits of members\n/)
    for (const said of [
      '! 3 accounts had budgets that were renewed: each has 1000000 dollars here, and a limit to what it spends',
      '! user Bo: had a new budget every 12h, which nothing here is; it has what was left of it',
      '! 1 budget of a member is left out, for that one is in no such team here',
      '! member u-cy of team t-1: had a new budget every 90m, which nothing here is; what was left is for good',
    ])
      expect(out).toContain(said)
    const store = await openSampleStore(DATABASE_URL, { secretKey: SECRET_KEY })
    const limits = await store.db
      .selectFrom('spend_limits')
      .innerJoin('users', 'users.id', 'spend_limits.user_id')
      .leftJoin('users as member', 'member.id', 'spend_limits.member_id')
      .select(['users.username', 'users.quota', 'member.username as member'])
      .select(['subject', 'period', 'amount', 'spent', 'ends_at'])
      .where('users.username', 'not like', 'Many%')
      .orderBy('spend_limits.id')
      .execute()
    const million = 500_000_000_000
    const rows = limits.map(each => [
      each.username,
      each.quota,
      each.member,
      each.period,
      each.amount,
      each.spent,
    ])
    expect(rows).toEqual([
      ['Anna', million, null, 'five-hours', 2_000_000, 500_000],
      ['Cy', million, null, 'day', 0, 0],
      ['Research', million, null, 'month', 5_000_000, 2_000_000],
      ['Research', million, 'Anna', 'none', 1_000_000, 250_000],
      ['Research', million, 'Bo', 'week', 500_000, 125_000],
      ['Research', million, 'Cy', 'none', 500_000, 125_000],
    ])
    expect(limits.map(({ ends_at }) => ends_at).slice(2)).toEqual([
      inDays(9).getTime() / 1000,
      0,
      inDays(3).getTime() / 1000,
      0,
    ])
    const bo = await store.db.selectFrom('users').select('quota').where('username', '=', 'Bo').execute()
    expect(bo).toEqual([{ quota: 1_500_000 }])
    expect((await audit(store.db)).differences).toEqual([])
    // Done again: of teams that are here people here decide.
    await store.db.deleteFrom('spend_limits').execute()
    await addToLitellm(from, { LiteLLM_UserTable: [{ user_id: 'u-new', user_alias: 'New' }] })
    const again = await run(target, 'import', from)
    expect(again).toMatchObject({ code: 0, err: '' })
    expect(again.out).not.toContain('limits of')
    expect(await store.db.selectFrom('spend_limits').select('id').execute()).toEqual([])
    await store.close()
  },
)
