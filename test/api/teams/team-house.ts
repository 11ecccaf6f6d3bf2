import type { TeamView } from '../../../contract/teams.ts'
import type { TokenView } from '../../../contract/tokens.ts'
import type { AnyJson } from '../../any-json.ts'
import { type Answer, type Client, rootClient } from '../../client.ts'
import { until } from '../../program.ts'
import type { Rig } from '../../relay/rig.ts'
import { ask, chat } from '../../relay/ways.ts'
import { type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
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

/** A team that Olga owns, with Max and Eve in it, a channel behind it, and a token of hers and of his. */
export interface OlgasTeam {
  readonly house: TeamHouse
  readonly vendor: FakeUpstream
  readonly olga: Person
  readonly max: Person
  readonly eve: Person
  readonly team: number
  readonly ofOlga: TokenView
  readonly ofMax: TokenView
  /** Closes everything; tells what is wrong with the books and what the vendor did not like. */
  close(): Promise<readonly unknown[]>
}

export async function openOlgasTeam(
  databaseUrl: string,
  options: Record<string, string> = {},
): Promise<OlgasTeam> {
  const vendor = await startOpenai()
  const house = await openTeamHouse(databaseUrl, options)
  await house.rig.addChannel({ type: 1, baseUrl: vendor.url, key: vendor.key, models: ['gpt-4o'] })
  const olga = await house.person()
  const max = await house.person()
  const eve = await house.person()
  const team = await house.team(olga, max, eve)
  const ofOlga = await makeToken(olga, team, { name: 'of olga' })
  const ofMax = await makeToken(max, team, { name: 'of max' })
  // The channel was added to a program that runs.
  await until(async () => {
    const answer = await ask(house.rig.url, chat, { key: `sk-${ofMax.key}` })
    await answer.text()
    return answer.status === 200
  })
  return {
    ...{ house, vendor, olga, max, eve, team, ofOlga, ofMax },
    async close() {
      const wrong = [...(await house.rig.differences()), ...vendor.complaints]
      await house.rig.close()
      await vendor.stop()
      return wrong
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
