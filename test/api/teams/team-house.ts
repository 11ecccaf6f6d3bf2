import type { TeamView } from '../../../contract/teams.ts'
import type { TokenView } from '../../../contract/tokens.ts'
import type { AnyJson } from '../../any-json.ts'
import { type Answer, type Client, rootClient } from '../../client.ts'
import type { Rig } from '../../relay/rig.ts'
import { openApi, TokenClient } from '../rig-client.ts'

/** The program with people, of whom some are in teams. */
export interface TeamHouse {
  readonly rig: Rig
  readonly root: Client
  person(): Promise<Person>
  /** A team that somebody owns, with money. */
  team(owner: Person, ...members: Person[]): Promise<number>
  look(client: Client, team: number): Promise<TeamView>
}

export interface Person extends TokenClient {
  readonly name: string
}

export const actingFor = (team: number | string): Record<string, string> => ({
  'tollgate-team': String(team),
})

let made = 0

export async function openTeamHouse(
  databaseUrl: string,
  options: Record<string, string> = {},
): Promise<TeamHouse> {
  const rig = await openApi(databaseUrl, { CriticalRateLimit: '0', ...options })
  const root = await rootClient(rig.url)
  const look = async (client: Client, team: number): Promise<TeamView> =>
    (await client.get(`/api/team/${team}`)).json.data
  return {
    rig,
    root,
    look,
    async person() {
      const id = await rig.addUser()
      const { username: name } = await rig.store.db
        .selectFrom('users')
        .select('username')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return Object.assign(await TokenClient.of(rig, id), { name })
    },
    async team(owner, ...members) {
      const { id } = succeeded(await root.post('/api/team', { name: `team ${++made}`, owner: owner.name }))
      succeeded(await root.put('/api/user', { id, quota: 50_000_000 }))
      for (const { name } of members)
        succeeded(await root.post(`/api/team/${id}/members`, { username: name }))
      return id
    },
  }
}

/** What a call answered, which is known to have done what it was asked. */
export function succeeded({ json, text }: Answer): AnyJson {
  if (!json?.success) throw new Error(text)
  return json.data
}

/** A token that somebody makes for a team. */
export async function makeToken(client: Client, team: number, fields: object = {}): Promise<TokenView> {
  const body = { name: 'of the team', unlimited_quota: true, expired_time: -1, ...fields }
  succeeded(await client.post('/api/token', body, actingFor(team)))
  return (await tokensOf(client, team))[0] as TokenView
}

export async function tokensOf(client: Client, team: number): Promise<TokenView[]> {
  return succeeded(await client.get('/api/token?p=0&size=100', actingFor(team)))
}
