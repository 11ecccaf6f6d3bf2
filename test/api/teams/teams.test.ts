import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Client, loggedIn } from '../../client.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { TokenClient } from '../rig-client.ts'
import {
  actingFor,
  makeToken,
  openTeamHouse,
  type Person,
  succeeded,
  type TeamHouse,
  tokensOf,
} from './team-house.ts'

afterAll(dropAll)

const NOT_FOUND = { success: false, message: 'record not found' }

describe.each(engines.map(engine => [engine.name, engine] as const))('teams on %s', (_name, engine) => {
  let house: TeamHouse
  let olga: Person
  let max: Person
  let stranger: Person

  beforeAll(async () => {
    house = await openTeamHouse(await engine.freshUrl())
    olga = await house.person()
    max = await house.person()
    stranger = await house.person()
  })
  afterAll(async () => {
    expect(await house.rig.differences()).toEqual([])
    expect((await house.root.get('/api/audit/verify')).json.data).toMatchObject({ intact: true })
    await house.rig.close()
  })

  const lastRecord = async (): Promise<object> =>
    (await house.root.get('/api/audit?page_size=1')).json.data.items[0]

  test('owners see every token of the team, members their own, and nobody else any', async () => {
    const other = await house.person()
    const team = await house.team(olga, max, other)
    const ofOlga = await makeToken(olga, team, { name: 'olga' })
    const ofMax = await makeToken(max, team, { name: 'max' })
    const ofOther = await makeToken(other, team, { name: 'other' })
    expect(ofMax).toMatchObject({ user_id: team, created_by: max.id, creator: max.name })
    expect((await tokensOf(olga, team)).map(({ name }) => name)).toEqual(['other', 'max', 'olga'])
    expect((await tokensOf(max, team)).map(({ name }) => name)).toEqual(['max'])
    const found = await max.get('/api/token/search?keyword=o&page_size=20', actingFor(team))
    expect(found.json.data).toMatchObject({ items: [], total: 0 })
    for (const { id } of [ofOlga, ofOther])
      for (const [method, path, body] of [
        ['GET', `/api/token/${id}`, undefined],
        ['POST', `/api/token/${id}/key`, {}],
        ['PUT', '/api/token', { id, name: 'mine' }],
        ['PUT', '/api/token?status_only=1', { id, status: 2 }],
        ['DELETE', `/api/token/${id}`, undefined],
      ] as const) {
        expect((await max.send(method, path, { body, headers: actingFor(team) })).json).toMatchObject(
          NOT_FOUND,
        )
        expect((await max.send(method, path, { body })).json).toMatchObject(NOT_FOUND)
        const refused = await stranger.send(method, path, { body, headers: actingFor(team) })
        expect([refused.status, refused.json.success]).toEqual([403, false])
      }
    // What is a person's own is not the team's, and the other way round.
    expect(await tokensOf(olga, team)).toHaveLength(3)
    expect(succeeded(await max.get('/api/token?p=0'))).toEqual([])
    expect((await house.look(olga, team)).members.map(({ tokens }) => tokens)).toEqual([1, 1, 1])
    expect((await house.look(max, team)).members.map(({ tokens }) => tokens)).toEqual([0, 1, 0])
    succeeded(
      await olga.send('PUT', '/api/token?status_only=1', {
        body: { id: ofMax.id, status: 2 },
        headers: actingFor(team),
      }),
    )
    expect((await tokensOf(max, team))[0]?.status).toBe(2)
  })

  test('a member who is removed loses everything at once, and the tokens are disabled or kept', async () => {
    const leaver = await house.person()
    const team = await house.team(olga, max, leaver)
    const ofMax = await makeToken(max, team)
    const ofLeaver = await makeToken(leaver, team)
    expect((await max.send('DELETE', `/api/team/${team}/members/${leaver.id}`)).json.success).toBe(false)
    expect((await stranger.send('DELETE', `/api/team/${team}/members/${leaver.id}`)).json).toMatchObject(
      NOT_FOUND,
    )
    succeeded(await olga.send('DELETE', `/api/team/${team}/members/${max.id}`))
    succeeded(await olga.send('DELETE', `/api/team/${team}/members/${leaver.id}?tokens=keep`))
    for (const former of [max, leaver]) {
      expect((await former.get('/api/token?p=0', actingFor(team))).status).toBe(403)
      expect((await former.get(`/api/team/${team}`)).json).toMatchObject(NOT_FOUND)
    }
    const tokens = await tokensOf(olga, team)
    expect(tokens.map(({ id, status, created_by }) => [id, status, created_by])).toEqual([
      [ofLeaver.id, 1, olga.id],
      [ofMax.id, 2, max.id],
    ])
    expect(await lastRecord()).toMatchObject({
      action: 'team.remove-member',
      before: { user_id: leaver.id, role: 'member' },
      after: { tokens: 'keep' },
    })
    // Nobody keeps what is theirs by removing themselves; an administrator who is not of the team keeps nothing.
    const second = await house.person()
    succeeded(await house.root.post(`/api/team/${team}/members`, { username: second.name, role: 'owner' }))
    const ofSecond = await makeToken(second, team)
    succeeded(await second.send('DELETE', `/api/team/${team}/members/${second.id}?tokens=keep`))
    succeeded(await house.root.post(`/api/team/${team}/members`, { username: leaver.name }))
    const again = await makeToken(leaver, team)
    succeeded(await house.root.send('DELETE', `/api/team/${team}/members/${leaver.id}?tokens=keep`))
    const kept = (await tokensOf(olga, team)).map(({ id, status, created_by }) => [id, status, created_by])
    expect(kept.slice(0, 2)).toEqual([
      [again.id, 1, 0],
      [ofSecond.id, 2, second.id],
    ])
    // Whoever comes back finds what was theirs.
    succeeded(await house.root.post(`/api/team/${team}/members`, { username: max.name }))
    expect((await tokensOf(max, team)).map(({ id }) => id)).toEqual([ofMax.id])
  })

  test('tokens that are being made while their maker is removed do not outlive that', async () => {
    const team = await house.team(olga, max)
    const body = { name: 'quick', unlimited_quota: true }
    const making = Array.from({ length: 12 }, () => max.post('/api/token', body, actingFor(team)))
    await Promise.all([...making, olga.send('DELETE', `/api/team/${team}/members/${max.id}`)])
    expect((await tokensOf(olga, team)).filter(({ status }) => status === 1)).toEqual([])
  })

  test('of two owners who leave at once one stays, and the last cannot go', async () => {
    const second = await house.person()
    const team = await house.team(olga, second)
    const path = `/api/team/${team}`
    succeeded(await olga.send('PUT', `${path}/members/${second.id}`, { body: { role: 'owner' } }))
    const answers = await Promise.all([olga.post(`${path}/leave`, {}), second.post(`${path}/leave`, {})])
    expect(answers.filter(({ json }) => json.success).length).toBe(1)
    const [left] = (await house.look(house.root, team)).members
    expect(left?.role).toBe('owner')
    const last = left?.user_id === olga.id ? olga : second
    for (const [method, call, body] of [
      ['POST', `${path}/leave`, {}],
      ['DELETE', `${path}/members/${last.id}`, undefined],
      ['PUT', `${path}/members/${last.id}`, { role: 'member' }],
      ['DELETE', '/api/user/self', undefined],
    ] as const)
      expect((await last.send(method, call, { body })).json.success).toBe(false)
    expect((await house.look(last, team)).members).toHaveLength(1)
  })

  test('of two owners who delete their accounts at once one stays', async () => {
    const [one, two] = [await house.person(), await house.person()]
    const team = await house.team(one, two)
    succeeded(await one.send('PUT', `/api/team/${team}/members/${two.id}`, { body: { role: 'owner' } }))
    const gone = await Promise.all([one, two].map(each => each.send('DELETE', '/api/user/self')))
    expect(gone.filter(({ json }) => json.success).length).toBe(1)
    expect((await house.look(house.root, team)).members).toHaveLength(1)
  })

  test('a team that is deleted while its members act is gone for them all', async () => {
    const team = await house.team(olga, max)
    const acts = Array.from({ length: 8 }, (_, at) =>
      at % 2
        ? max.post('/api/token', { name: 'late' }, actingFor(team))
        : olga.get('/api/user/self', actingFor(team)),
    )
    await Promise.all([...acts, house.root.send('DELETE', `/api/user/${team}`)])
    for (const client of [olga, max]) {
      expect((await client.get('/api/user/self', actingFor(team))).status).toBe(403)
      expect((await client.get(`/api/team/${team}`)).json).toMatchObject(NOT_FOUND)
    }
    const rows = house.rig.store.db.selectFrom('team_members').selectAll().where('team_id', '=', team)
    expect(await rows.execute()).toEqual([])
  })

  test('the account of a member who is deleted takes their tokens of the team out of use', async () => {
    const short = await house.person()
    const team = await house.team(olga, short)
    await makeToken(short, team)
    succeeded(await house.root.send('DELETE', `/api/user/${short.id}`))
    expect((await tokensOf(olga, team)).map(({ status }) => status)).toEqual([2])
    expect((await house.look(olga, team)).members.map(({ user_id }) => user_id)).toEqual([olga.id])
  })

  test('nobody logs in as a team, and none becomes an administrator', async () => {
    const team = await house.team(olga)
    const { username } = succeeded(await house.root.get(`/api/user/${team}`))
    const login = await new Client(house.rig.url).login(username, '')
    expect(login.json.success).toBe(false)
    expect((await house.root.put('/api/user', { id: team, password: 'long-enough' })).json.success).toBe(
      false,
    )
    expect((await new Client(house.rig.url).login(username, 'long-enough')).json.success).toBe(false)
    const promotion = await house.root.post('/api/user/manage', { id: team, action: 'promote' })
    expect(promotion.json.success).toBe(false)
    // Even an access token that somebody wrote into the row opens nothing.
    const forged = await TokenClient.of(house.rig, team)
    expect((await forged.get('/api/user/self')).json.success).toBe(false)
    succeeded(
      await house.root.put('/api/user', { id: team, username: `a name of teams ${team}`, group: 'vip' }),
    )
    const listed = succeeded(await house.root.get('/api/user/search?role=team&keyword=a%20name%20of'))
    expect(listed).toMatchObject([{ id: team, role: 0, group: 'vip' }])
  })

  test('a banned team and a banned member are kept out', async () => {
    const team = await house.team(olga, max)
    succeeded(await house.root.post('/api/user/manage', { id: team, action: 'disable' }))
    expect((await max.get('/api/user/self', actingFor(team))).status).toBe(403)
    succeeded(await house.root.post('/api/user/manage', { id: team, action: 'enable' }))
    succeeded(await max.get('/api/user/self', actingFor(team)))
    succeeded(await house.root.post('/api/user/manage', { id: max.id, action: 'disable' }))
    expect((await max.get('/api/user/self', actingFor(team))).json.success).toBe(false)
    succeeded(await house.root.post('/api/user/manage', { id: max.id, action: 'enable' }))
  })

  test('who may make one is the operator’s choice, and how many', async () => {
    const own = () => olga.post('/api/team', { name: `made by ${olga.name} ${++count}` })
    let count = 0
    expect((await own()).json.success).toBe(false)
    expect((await stranger.post('/api/team', { name: 'of olga', owner: olga.name })).json.success).toBe(false)
    const maker = await house.person()
    await house.root.saveOption('TeamCreationEnabled', 'true')
    await house.root.saveOption('MostTeamsOwned', '2')
    expect(succeeded(await maker.get('/api/team/self')).may_create).toBe(true)
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => maker.post('/api/team', { name: `${maker.name} makes ${at}` })),
    )
    expect(answers.filter(({ json }) => json.success).length).toBe(2)
    const { teams } = succeeded(await maker.get('/api/team/self'))
    expect(teams).toMatchObject([{ role: 'owner' }, { role: 'owner' }])
    for (const { id } of teams)
      expect(succeeded(await maker.get('/api/user/self', actingFor(id)))).toMatchObject({
        id,
        quota: 0,
        role: 0,
      })
    await house.root.saveOption('TeamCreationEnabled', 'false')
    for (const name of ['', 'x'.repeat(31), 'hid\u200bden', 'jose\u0301'])
      expect((await house.root.post('/api/team', { name })).json.success).toBe(false)
    expect((await house.root.post('/api/team', { name: maker.name })).json.success).toBe(false)
  })

  test('acting with a session is as with an access token, and is not one for other calls', async () => {
    await house.rig.store.db
      .updateTable('users')
      .set({ password_hash: await Bun.password.hash('a-password') })
      .where('id', '=', stranger.id)
      .execute()
    const client = await loggedIn(house.rig.url, stranger.name, 'a-password')
    const team = await house.team(stranger)
    expect(succeeded(await client.get('/api/user/self', actingFor(team))).id).toBe(team)
    // The header of the wire contract names the person, whoever they act for.
    const asTeam = { ...actingFor(team), 'new-api-user': String(team) }
    expect((await client.get('/api/user/self', asTeam)).status).toBe(401)
    // Their own affairs stay their own.
    const sessions = succeeded(await client.get('/api/user/sessions', actingFor(team)))
    expect(sessions).toMatchObject([{ current: true }])
    succeeded(
      await client.send('PUT', '/api/user/self', { body: { display_name: 'me' }, headers: actingFor(team) }),
    )
    expect(succeeded(await client.get('/api/user/self')).display_name).toBe('me')
    expect(succeeded(await client.get('/api/user/self', actingFor(team))).display_name).not.toBe('me')
  })

  test('owners rename it, members do not; administrators manage it without being in it', async () => {
    const team = await house.team(olga, max)
    expect((await max.send('PUT', `/api/team/${team}`, { body: { name: 'mine' } })).json.success).toBe(false)
    expect((await stranger.send('PUT', `/api/team/${team}`, { body: { name: 'mine' } })).json).toMatchObject(
      NOT_FOUND,
    )
    succeeded(await olga.send('PUT', `/api/team/${team}`, { body: { name: `renamed ${team}` } }))
    expect((await house.look(max, team)).name).toBe(`renamed ${team}`)
    expect(await house.look(house.root, team)).toMatchObject({ role: '', quota: 50_000_000 })
    // An administrator who is no member cannot act for it.
    expect((await house.root.get('/api/token?p=0', actingFor(team))).status).toBe(403)
    expect((await olga.post(`/api/team/${team}/members`, { username: stranger.name })).json.success).toBe(
      false,
    )
  })

  test('money goes into the team’s wallet by whoever brings it, and out of it by owners', async () => {
    const team = await house.team(olga, max)
    const codes = succeeded(await house.root.post('/api/redemption/', { name: 'gift', quota: 700, count: 1 }))
    expect(succeeded(await max.post('/api/user/topup', { key: codes[0] }, actingFor(team)))).toBe(700)
    expect(succeeded(await max.get('/api/user/self', actingFor(team))).quota).toBe(50_000_700)
    expect((await stranger.post('/api/user/topup', { key: codes[0] }, actingFor(team))).status).toBe(403)
    const plan = {
      title: 'p',
      price: 100,
      duration: 1,
      duration_unit: 'day',
      quota: 100,
      period: 'none',
      on_sale: true,
    }
    const { id } = succeeded(await house.root.post('/api/subscription/admin/plans', plan))
    const buying = { plan_id: id, purchase: `once-${team}-0123456789` }
    expect((await max.post('/api/subscription/balance/pay', buying, actingFor(team))).json.success).toBe(
      false,
    )
    expect((await max.get('/api/user/topup/self', actingFor(team))).json.success).toBe(false)
    expect((await olga.get('/api/user/topup/self', actingFor(team))).json.success).toBe(true)
    expect(await house.rig.balance(team)).toBe(50_000_700)
  })
})
