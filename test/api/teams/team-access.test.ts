// Of every call that there is: whether a team can be acted for in it, and who is refused.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { type EndpointName, endpoints } from '../../../contract/index.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { actingFor, openTeamHouse, type Person, type TeamHouse } from './team-house.ts'

const table = Object.entries(endpoints) as [EndpointName, Endpoint][]
const forTeams = table.filter(([, { team }]) => team)

/** Whatever the header says, these are about the person who calls. What is added to the table is to be judged. */
const alwaysOnesOwn: readonly EndpointName[] = [
  ...([
    'accessToken',
    'accessTokenStatus',
    'revokeAccessToken',
    'updateSelf',
    'deleteSelf',
    'inviteCode',
    'listSessions',
    'revokeSession',
  ] as const),
  ...([
    'bindEmail',
    'telegramBind',
    'wechatBind',
    'verify',
    'transferEarnings',
    'checkIns',
    'checkIn',
  ] as const),
  ...(['twoFactorStatus', 'twoFactorSetup', 'twoFactorEnable', 'twoFactorDisable'] as const),
  ...(['twoFactorBackupCodes', 'passkeys', 'passkeyDelete', 'passkeyRename'] as const),
  ...(['passkeyRegisterBegin', 'passkeyRegisterFinish', 'passkeyVerifyBegin', 'modelsByType'] as const),
  ...(['ownTeams', 'createTeam', 'getTeam', 'renameTeam', 'inviteToTeam', 'withdrawInvitation'] as const),
  ...([
    'acceptInvitation',
    'declineInvitation',
    'changeTeamMember',
    'limitTeamMember',
    'removeTeamMember',
    'leaveTeam',
  ] as const),
]

let house: TeamHouse
let owner: Person
let member: Person
let stranger: Person
let team = 0
let other = 0
let dissolved = 0

beforeAll(async () => {
  const [sqlite] = engines
  if (!sqlite) throw new Error('no engine')
  house = await openTeamHouse(await sqlite.freshUrl())
  owner = await house.person()
  member = await house.person()
  stranger = await house.person()
  team = await house.team(owner, member)
  other = await house.team(stranger)
  dissolved = await house.team(owner, member)
  await house.root.send('DELETE', `/api/user/${dissolved}`)
})
afterAll(async () => {
  await house.rig.close()
  await dropAll()
})

const send = ({ method, path }: Endpoint, who: Person, headers: Record<string, string>, search = '') =>
  who.send(method, `${path.replace(/:\w+/g, '1')}${search}`, {
    headers,
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: {} }),
  })

test('each call of users is either one that teams have too, or always the person’s own', () => {
  const ofUsers = table.filter(([, { access }]) => access === 'user').map(([name]) => name)
  const judged = [...forTeams.map(([name]) => name), ...alwaysOnesOwn]
  expect(ofUsers.toSorted()).toEqual(judged.toSorted())
  expect(forTeams.every(([, { access }]) => access === 'user')).toBe(true)
})

test.each(forTeams)('%s is refused to whoever is not of the team', async (_name, endpoint) => {
  for (const [who, named] of [
    [stranger, team],
    [owner, other],
    [member, other],
    [owner, stranger.id],
    [owner, owner.id],
    [stranger, 1],
    [owner, dissolved],
    [member, 987_654],
  ] as const)
    expect([named, (await send(endpoint, who, actingFor(named))).status]).toEqual([named, 403])
  for (const named of [
    '',
    'x',
    '-1',
    `${team},${other}`,
    `${team} `.repeat(2),
    '1e3',
    `0x${team}`,
    '9'.repeat(16),
  ])
    expect([named, (await send(endpoint, owner, { ...actingFor(named), accept: '*/*' })).status]).toEqual([
      named,
      // The client of these tests leaves out a header that is blank: then the call is the person's own.
      named === '' ? (await send(endpoint, owner, {})).status : 400,
    ])
})

test.each(forTeams.filter(([, { team: who }]) => who === 'owners'))(
  '%s is refused to those who are no owners',
  async (_name, endpoint) => {
    const told = 'Only owners of the team may do this'
    const inEnglish = { ...actingFor(team), 'accept-language': 'en' }
    expect((await send(endpoint, member, inEnglish)).json).toMatchObject({ success: false, message: told })
    expect((await send(endpoint, owner, inEnglish)).json?.message).not.toBe(told)
  },
)

test.each(forTeams.filter(([, { userHeader }]) => !userHeader))(
  '%s takes the team from its address as well, and judges it alike',
  async (_name, endpoint) => {
    expect((await send(endpoint, stranger, {}, `?after_id=1&team=${team}`)).status).toBe(403)
    expect((await send(endpoint, owner, {}, `?after_id=1&team=${other}`)).status).toBe(403)
    // Where both are named the header counts, and one that is wrong is not made good by the other.
    expect((await send(endpoint, owner, actingFor(other), `?after_id=1&team=${team}`)).status).toBe(403)
  },
)

test('calls that take headers are not misled by their address', async () => {
  const { json } = await owner.get(`/api/user/self?team=${team}`)
  expect(json.data.id).toBe(owner.id)
})

test.each(alwaysOnesOwn.filter(name => endpoints[name].method === 'GET' && !endpoints[name].changes))(
  '%s is the person’s own, whatever team is named',
  async name => {
    const endpoint: Endpoint = endpoints[name]
    const own = await send(endpoint, owner, {})
    expect((await send(endpoint, owner, actingFor(team))).text).toBe(own.text)
    expect((await send(endpoint, owner, actingFor(other))).text).toBe(own.text)
  },
)

test('administrators keep their rank out of what they do for a team', async () => {
  const keeper = await house.person()
  await house.rig.store.db.updateTable('users').set({ role: 10 }).where('id', '=', keeper.id).execute()
  await house.root.post(`/api/team/${team}/members`, { username: keeper.name, role: 'owner' })
  const requestId = 'a-request-of-somebody-else'
  await house.rig.store.db
    .insertInto('holds')
    .values({
      ...{ id: requestId, node_id: 'gone', user_id: stranger.id, token_id: 0, amount: 0, token_amount: 0 },
      ...{ checkpoint: 0, charge: 0, state: 'released', price: '{}', created_at: 1, updated_at: 1 },
    })
    .execute()
  expect((await keeper.get(`/api/log/trail/${requestId}`)).json.success).toBe(true)
  expect((await keeper.get(`/api/log/trail/${requestId}`, actingFor(team))).json.success).toBe(false)
  // What only administrators may do is not looked at for a team at all.
  expect((await keeper.get('/api/user?p=0', actingFor(team))).json.success).toBe(true)
  expect((await owner.get('/api/user?p=0', actingFor(team))).json.success).toBe(false)
})
