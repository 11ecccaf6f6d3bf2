// Who is asked into a team, by whom, and who gets in.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { dropAll, engines } from '../../services/databases.ts'
import { openTeamHouse, type Person, succeeded, type TeamHouse } from './team-house.ts'

afterAll(dropAll)

const NOT_FOUND = { success: false, message: 'record not found' }

describe.each(engines.map(engine => [engine.name, engine] as const))('invitations on %s', (_name, engine) => {
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

  test('somebody is invited, sees who asks, accepts once, and is a member', async () => {
    const team = await house.team(olga)
    const path = `/api/team/${team}`
    succeeded(await olga.post(`${path}/invitations`, { invitee: max.name }))
    expect((await olga.post(`${path}/invitations`, { invitee: max.name })).json.success).toBe(false)
    expect(await max.get(path)).toMatchObject({ json: NOT_FOUND })
    const { invitations, teams } = succeeded(await max.get('/api/team/self'))
    expect(teams).toEqual([])
    expect(invitations).toMatchObject([{ id: team, role: 'member', invited_by: olga.name }])
    expect((await stranger.post(`${path}/accept`, {})).json).toMatchObject(NOT_FOUND)
    const answers = await Promise.all(Array.from({ length: 5 }, () => max.post(`${path}/accept`, {})))
    expect(answers.filter(({ json }) => json.success).length).toBe(1)
    expect(succeeded(await max.get('/api/team/self'))).toMatchObject({
      invitations: [],
      teams: [{ id: team, role: 'member', members: 2 }],
    })
    expect((await house.look(max, team)).members.map(each => [each.user_id, each.role])).toEqual([
      [olga.id, 'owner'],
      [max.id, 'member'],
    ])
    expect(await lastRecord()).toMatchObject({
      action: 'team.accept',
      subject: `team:${team}`,
      user_id: max.id,
    })
    expect((await olga.post(`${path}/invitations`, { invitee: max.name })).json.success).toBe(false)
  })

  test('nobody learns from an invitation who is registered', async () => {
    const team = await house.team(olga)
    const path = `/api/team/${team}/invitations`
    await house.rig.store.db
      .updateTable('users')
      .set({ email: `max-${team}@example.com` })
      .where('id', '=', max.id)
      .execute()
    const asked = [max.name, 'no-such-user', `Max-${team}@example.com`, 'nobody@example.com', 'root']
    const answers = []
    for (const invitee of asked) answers.push((await olga.post(path, { invitee })).json)
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
    const { invitations } = await house.look(olga, team)
    expect(invitations.map(({ invitee }) => invitee)).toEqual(asked.toReversed())
    expect(Object.keys(invitations[0] ?? {}).toSorted()).toEqual(['id', 'invited_at', 'invitee', 'role'])
    // By name and by address: one to answer, and one answer to both.
    expect(succeeded(await max.get('/api/team/self')).invitations.length).toBe(1)
    succeeded(await max.post(`/api/team/${team}/decline`, {}))
    expect(succeeded(await max.get('/api/team/self')).invitations).toEqual([])
    expect((await max.post(`/api/team/${team}/accept`, {})).json).toMatchObject(NOT_FOUND)
    const left = (await house.look(olga, team)).invitations
    expect(left.map(({ invitee }) => invitee)).toEqual(['root', 'nobody@example.com', 'no-such-user'])
    succeeded(await olga.send('DELETE', `${path}/${left[0]?.id}`))
    expect((await olga.send('DELETE', `${path}/${left[0]?.id}`)).json).toMatchObject(NOT_FOUND)
    // Who takes the name later was not meant.
    const later = await house.person()
    await house.rig.store.db
      .updateTable('users')
      .set({ username: 'no-such-user' })
      .where('id', '=', later.id)
      .execute()
    expect(succeeded(await later.get('/api/team/self')).invitations).toEqual([])
  })

  test.each([
    ['is removed', (team: number, who: number) => olga.send('DELETE', `/api/team/${team}/members/${who}`)],
    [
      'is an owner no more',
      (team: number, who: number) => olga.put(`/api/team/${team}/members/${who}`, { role: 'member' }),
    ],
    ['is banned', (_: number, id: number) => house.root.post('/api/user/manage', { id, action: 'disable' })],
    ['is deleted', (_: number, id: number) => house.root.send('DELETE', `/api/user/${id}`)],
  ])('whoever %s lets nobody in by an invitation from before', async (_what, putOut) => {
    const rogue = await house.person()
    const friend = await house.person()
    const team = await house.team(olga)
    succeeded(await house.root.post(`/api/team/${team}/members`, { username: rogue.name, role: 'owner' }))
    const asked = { invitee: friend.name, role: 'owner' }
    succeeded(await rogue.post(`/api/team/${team}/invitations`, asked))
    succeeded(await olga.post(`/api/team/${team}/invitations`, { invitee: max.name }))
    expect(succeeded(await friend.get('/api/team/self')).invitations).toMatchObject([{ id: team }])
    succeeded(await putOut(team, rogue.id))
    expect(succeeded(await friend.get('/api/team/self')).invitations).toEqual([])
    expect((await friend.post(`/api/team/${team}/accept`, {})).json).toMatchObject(NOT_FOUND)
    expect((await house.look(olga, team)).members.map(({ user_id }) => user_id)).not.toContain(friend.id)
    // Those of others stand.
    succeeded(await max.post(`/api/team/${team}/accept`, {}))
  })

  test('an address invites whoever has it, and nobody who calls themselves so', async () => {
    const team = await house.team(olga)
    const thief = await house.person()
    const address = `t${team}@corp.io`
    expect((await thief.put('/api/user/self', { username: address })).json).toMatchObject({ success: false })
    // As a name it is refused nowadays; some have one from before.
    await house.rig.store.db
      .updateTable('users')
      .set({ username: address })
      .where('id', '=', thief.id)
      .execute()
    succeeded(await olga.post(`/api/team/${team}/invitations`, { invitee: address, role: 'owner' }))
    succeeded(await olga.post(`/api/team/${team}/invitations`, { invitee: address.toUpperCase() }))
    expect(succeeded(await thief.get('/api/team/self')).invitations).toEqual([])
    expect((await thief.post(`/api/team/${team}/accept`, {})).json).toMatchObject(NOT_FOUND)
    // Administrators name people by their names alone.
    succeeded(await house.root.post(`/api/team/${team}/members`, { username: address }))
    expect(succeeded(await thief.get('/api/team/self')).teams).toMatchObject([{ id: team, role: 'member' }])
  })
})
