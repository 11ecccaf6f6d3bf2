// What a member may spend of a team's money, with all their tokens together, and what they are told beyond that.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { SpendLimit, SpendLimitView } from '../../../contract/spend-limits.ts'
import type { TokenView } from '../../../contract/tokens.ts'
import { hashPassword } from '../../../server/services/accounts/passwords.ts'
import { loggedIn } from '../../client.ts'
import { anthropic, ask, chat, gemini, type Way } from '../../relay/ways.ts'
import { dropAll, engines } from '../../services/databases.ts'
import {
  actingFor,
  makeToken,
  type OlgasTeam,
  openOlgasTeam,
  type Person,
  succeeded,
  type TeamHouse,
} from './team-house.ts'

afterAll(dropAll)

const PASSWORD = 'users-pass-1'

describe.each(engines.map(engine => [engine.name, engine] as const))('a member on %s', (_name, engine) => {
  let opened: OlgasTeam
  let house: OlgasTeam['house']
  let vendor: OlgasTeam['vendor']
  let olga: OlgasTeam['olga']
  let max: OlgasTeam['max']
  let eve: OlgasTeam['eve']
  let team: OlgasTeam['team']
  let ofOlga: OlgasTeam['ofOlga']
  let ofMax: OlgasTeam['ofMax']
  let alsoOfMax: TokenView

  beforeAll(async () => {
    opened = await openOlgasTeam(await engine.freshUrl())
    ;({ house, vendor, olga, max, eve, team, ofOlga, ofMax } = opened)
    alsoOfMax = await makeToken(max, team, { name: 'also of max' })
  })
  afterAll(async () => {
    expect(await opened.close()).toEqual([])
  })

  async function callWith({ key }: TokenView, way: Way = chat, language = 'en') {
    const response = await ask(house.rig.url, way, {
      key: `sk-${key}`,
      model: 'gpt-4o',
      headers: { 'accept-language': language },
    })
    return { status: response.status, text: await response.text() }
  }

  const limit = (who: Person, member: number, limits: readonly SpendLimit[]) =>
    who.put(`/api/team/${team}/members/${member}/limits`, { limits })
  const limitsOf = async (who: Person, member: number): Promise<SpendLimitView[] | undefined> =>
    (await house.look(who, team)).members.find(({ user_id }) => user_id === member)?.limits
  const ownLimits = async (who: Person): Promise<SpendLimitView[]> =>
    succeeded(await who.get('/api/user/spend_limits', actingFor(team))).member

  test('owners set it, members see their own, and nobody else sets or sees it', async () => {
    expect((await limit(max, max.id, [])).json.success).toBe(false)
    expect((await limit(eve, max.id, [])).json.success).toBe(false)
    expect((await limit(olga, 987_654, [])).json.success).toBe(false)
    const twice: SpendLimit[] = ['day', 'day'].map(() => ({ period: 'day', amount: 5 }))
    expect((await limit(olga, max.id, twice)).json.success).toBe(false)
    const limits: SpendLimit[] = [
      { period: 'day', amount: 1_000_000 },
      { period: 'none', amount: 5_000_000 },
    ]
    succeeded(await limit(olga, max.id, limits))
    const shown = limits.map(each => ({ ...each, spent: 0, ends_at: 0 }))
    expect(await limitsOf(olga, max.id)).toEqual(shown)
    expect(await limitsOf(max, max.id)).toEqual(shown)
    expect(await limitsOf(eve, max.id)).toEqual([])
    expect(await ownLimits(max)).toEqual(shown)
    expect(await ownLimits(eve)).toEqual([])
    expect((await max.get('/api/user/spend_limits')).json.data).toEqual({ account: [], plan: [], member: [] })
  })

  test('all their tokens together spend it, and those of others do not', async () => {
    succeeded(await limit(olga, max.id, [{ period: 'week', amount: 1_000_000 }]))
    for (const token of [ofMax, alsoOfMax, ofOlga]) expect((await callWith(token)).status).toBe(200)
    const charges = await house.rig.store.db
      .selectFrom('logs')
      .select('quota')
      .where('token_id', 'in', [ofMax.id, alsoOfMax.id])
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    const [own] = await ownLimits(max)
    expect(own?.spent).toBe(charges.reduce((sum, { quota }) => sum + quota, 0))
    expect(own?.spent).toBeGreaterThan(0)
    expect(own?.ends_at).toBeGreaterThan(Date.now() / 1000)
    expect(await limitsOf(olga, max.id)).toEqual([own as SpendLimitView])
  })

  test('beyond it nothing is sent, and the caller is told in their dialect and language', async () => {
    succeeded(await limit(olga, max.id, [{ period: 'month', amount: 0 }]))
    const asked = vendor.requests.length
    for (const way of [chat, anthropic, gemini]) {
      const refused = await callWith(alsoOfMax, way)
      expect(refused.status).toBe(403)
      expect(JSON.parse(refused.text).error.message).toContain('What you may spend in this team is used up')
      expect(refused.text).toContain('it renews at')
    }
    expect((await callWith(ofMax, chat, 'zh')).text).toContain('您在该团队中的可用额度已用完')
    const password_hash = await hashPassword(PASSWORD)
    await house.rig.store.db.updateTable('users').set({ password_hash }).where('id', '=', max.id).execute()
    const player = await loggedIn(house.rig.url, max.name, PASSWORD)
    const body = chat.body('gpt-4o', 'hi', false)
    const played = await player.post('/pg/chat/completions', body, actingFor(team))
    expect(played.text).toContain('insufficient_user_quota')
    expect(vendor.requests.length).toBe(asked)
    expect((await callWith(ofOlga)).status).toBe(200)
    succeeded(await limit(olga, max.id, []))
    expect((await callWith(ofMax)).status).toBe(200)
  })

  test('an administrator limits the team as a whole', async () => {
    const put = (who: Person | TeamHouse['root'], limits: readonly SpendLimit[]) =>
      who.put(`/api/user/${team}/spend_limits`, { limits })
    expect((await put(olga, [])).json.success).toBe(false)
    succeeded(await put(house.root, [{ period: 'five-hours', amount: 0 }]))
    for (const token of [ofOlga, ofMax]) {
      const refused = await callWith(token)
      expect(refused.status).toBe(403)
      expect(refused.text).toContain('What this account may spend for now is used up')
    }
    const shown = succeeded(await house.root.get(`/api/user/${team}/spend_limits`))
    expect(shown).toMatchObject([{ period: 'five-hours', amount: 0, spent: 0 }])
    const seen = succeeded(await max.get('/api/user/spend_limits', actingFor(team)))
    expect(seen.account).toEqual(shown)
    succeeded(await put(house.root, []))
    expect((await callWith(ofOlga)).status).toBe(200)
  })

  test('whoever leaves leaves it behind, and comes back without', async () => {
    succeeded(await limit(olga, eve.id, [{ period: 'none', amount: 7 }]))
    succeeded(await eve.post(`/api/team/${team}/leave`, {}))
    const there = house.rig.store.db.selectFrom('spend_limits').selectAll().where('member_id', '=', eve.id)
    expect(await there.execute()).toEqual([])
    succeeded(await house.root.post(`/api/team/${team}/members`, { username: eve.name }))
    expect(await limitsOf(olga, eve.id)).toEqual([])
  })
})
