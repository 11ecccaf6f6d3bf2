import type { Insertable, Kysely } from 'kysely'
import { roles, userStatuses } from '../../../contract/users.ts'
import { newUser } from '../../../server/services/setup.ts'
import { tokenHash } from '../../../server/store/given-key.ts'
import type { Store } from '../../../server/store/index.ts'
import type { Channels, Schema, Tokens, Users } from '../../../server/store/schema.ts'
import { channelKeyPlace, tokenKeyPlace } from '../../../server/store/sealed-places.ts'
import { collector, groups, idleMember, memberOf, modelName, spread, teamId } from './spread.ts'

const AT_A_TIME = 500
const MODELS_OF_CHANNEL = 10
const { firstId } = spread

/** Users, their tokens, and channels that serve models nobody in this run calls. */
export async function generatePeople({ db, cipher }: Store, upstream: string, now: number): Promise<void> {
  const hash = await Bun.password.hash(collector.password, { algorithm: 'bcrypt', cost: 4 })
  await insertAll(db, 'users', spread.users, (id, at): Insertable<Users> => {
    const name = at === spread.users - 1 ? collector.name : `user${id}`
    return {
      ...newUser(name, hash, now - (at % 1000) * 3600),
      id,
      email: `${name}@mail${at % 7}.example`,
      display_name: `Person ${at % 5000}`,
      status: at % 50 === 48 ? userStatuses.banned : userStatuses.active,
      quota: 1_000_000 + at,
      used_quota: at * 10,
      group: groupOf(at),
      aff_code: id.toString(36).padStart(6, '0'),
      ...(id === teamId && { role: roles.team, password_hash: '', status: userStatuses.active }),
    }
  })
  const ownedByActive = spread.activeUsers * spread.tokensOfUser
  const collectorId = firstId + spread.users - 1
  const ofTeam = (at: number) => ({
    user_id: teamId,
    created_by: at < spread.teamTokens ? memberOf(at) : firstId + idleMember,
  })
  await insertAll(db, 'tokens', spread.tokens + spread.teamTokens + 1, (id, at): Insertable<Tokens> => {
    const key = id.toString(36).padStart(48, 'Z')
    const isFirst = at < ownedByActive && at % spread.tokensOfUser === 0
    return {
      id,
      user_id: at < ownedByActive ? firstId + Math.floor(at / spread.tokensOfUser) : collectorId,
      name: isFirst ? 'default' : `token-${id}`,
      key_hash: tokenHash({ cipher }, key),
      key_sealed: cipher.seal(tokenKeyPlace(id), key),
      status: 1,
      created_time: now - spread.days * 86_400 - at,
      accessed_time: now,
      expired_time: -1,
      remain_quota: at,
      used_quota: at,
      unlimited_quota: at % 2,
      model_limits_enabled: 0,
      model_limits: '',
      group: '',
      ...(at >= spread.tokens && ofTeam(at - spread.tokens)),
    }
  })
  await generateTeam(db, now)
  await generateChannels({ db, cipher }, upstream, now)
}

/** The first who made a token for it owns it; what each may spend of it is limited. */
async function generateTeam(db: Kysely<Schema>, now: number): Promise<void> {
  const people = Array.from({ length: spread.members + 1 }, (_, at) => firstId + at)
  await db
    .insertInto('team_members')
    .values(
      people.map((user_id, at) => ({
        team_id: teamId,
        user_id,
        role: at === 0 ? 'owner' : 'member',
        added_by: firstId,
        added_at: now - at,
      })),
    )
    .execute()
  await db
    .insertInto('spend_limits')
    .values(
      people.map(member_id => ({
        ...{ user_id: teamId, subject: 'member' as const, member_id, period: 'month' as const },
        ...{ amount: 1_000_000, created_at: now },
      })),
    )
    .execute()
}

async function generateChannels(
  { db, cipher }: Pick<Store, 'db' | 'cipher'>,
  upstream: string,
  now: number,
): Promise<void> {
  const served = (at: number): string[] =>
    Array.from({ length: MODELS_OF_CHANNEL }, (_, more) => modelName(at * 7 + more * 13))
  await insertAll(
    db,
    'channels',
    spread.channels,
    (id, at): Insertable<Channels> => ({
      id,
      type: at % 40 === 0 ? 14 : 1,
      name: `channel ${id} of vendor ${at % 40}`,
      status: at % 10 === 9 ? 2 : 1,
      key_hash: cipher.hash('channel', `sk-${id}`),
      key_sealed: cipher.seal(channelKeyPlace(id), `sk-${id}`),
      base_url: upstream,
      other: '',
      models: served(at).join(','),
      group: groupOf(at),
      priority: at % 20,
      weight: at % 5,
      auto_ban: 1,
      tag: at % 4 === 0 ? null : `tag-${at % spread.tags}`,
      other_info: '',
      response_time: at % 3000,
      test_time: now,
      balance: 0,
      balance_updated_time: 0,
      used_quota: at,
      created_time: now,
    }),
  )
  for (let at = 0; at < spread.channels; at += AT_A_TIME / MODELS_OF_CHANNEL) {
    const some = Array.from({ length: AT_A_TIME / MODELS_OF_CHANNEL }, (_, more) => at + more)
    const rows = some.flatMap(channel =>
      [...new Set(served(channel))].map(model => ({
        group: groupOf(channel),
        model,
        channel_id: firstId + channel,
        enabled: channel % 10 === 9 ? 0 : 1,
        priority: channel % 20,
        weight: channel % 5,
        tag: channel % 4 === 0 ? null : `tag-${channel % spread.tags}`,
      })),
    )
    await db.insertInto('abilities').values(rows).execute()
  }
}

function groupOf(at: number): string {
  const [usual, vip, svip] = groups
  return at % 10 < 7 ? usual : at % 10 < 9 ? vip : svip
}

async function insertAll<T extends 'users' | 'tokens' | 'channels'>(
  db: Kysely<Schema>,
  table: T,
  many: number,
  row: (id: number, at: number) => Insertable<Schema[T]>,
): Promise<void> {
  for (let from = 0; from < many; from += AT_A_TIME) {
    const some = Array.from({ length: Math.min(AT_A_TIME, many - from) }, (_, more) =>
      row(firstId + from + more, from + more),
    )
    await db
      .insertInto<keyof Schema & T>(table)
      .values(some as never)
      .execute()
  }
}
