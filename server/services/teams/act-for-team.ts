import type { Transaction } from 'kysely'
import type { TeamAccess } from '../../../contract/endpoint.ts'
import { roles, userStatuses } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import type { Store } from '../../store/index.ts'
import { lockedOn } from '../../store/lock-rows.ts'
import type { Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import type { Caller } from '../call.ts'

/**
 * Makes a call one of a team, if whoever makes it is a member at this moment: it is read from the database each time. Of
 * the person's own rank nothing is left in it.
 */
export async function actForTeam(
  { store }: Pick<App, 'store'>,
  { id, username, via }: Caller,
  teamId: number,
  access: TeamAccess,
): Promise<Caller> {
  const team = await store.db
    .selectFrom('team_members')
    .innerJoin('users', 'users.id', 'team_members.team_id')
    .select(['users.id', 'users.username', 'users.status', 'users.group', 'team_members.role'])
    .where('team_members.team_id', '=', teamId)
    .where('team_members.user_id', '=', id)
    .where('users.role', '=', roles.team)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!team) throw new AppError('team.not-member')
  if (team.status !== userStatuses.active) throw new AppError('team.banned')
  const isOwner = team.role === 'owner'
  if (access === 'owners' && !isOwner) throw new AppError('team.owners-only')
  return { ...team, role: roles.team, via, acting: { person: { id, username }, isOwner } }
}

/** Whose tokens alone a caller may see and what was called with them; undefined for all of the account's. */
export function onlyMadeBy({ acting }: Pick<Caller, 'acting'>): number | undefined {
  return acting && !acting.isOwner ? acting.person.id : undefined
}

/**
 * Once more, and until the transaction ends: whoever removes a member waits for what they are just doing, and then
 * finds what it has made.
 */
export async function staysMember(
  { engine }: Pick<Store, 'engine'>,
  transaction: Transaction<Schema>,
  { id, acting }: Pick<Caller, 'id' | 'acting'>,
): Promise<void> {
  if (!acting) return
  const member = await transaction
    .selectFrom('team_members')
    .select('role')
    .where('team_id', '=', id)
    .where('user_id', '=', acting.person.id)
    .$call(lockedOn(engine))
    .executeTakeFirst()
  if (!member) throw new AppError('team.not-member')
  if (acting.isOwner && member.role !== 'owner') throw new AppError('team.owners-only')
}
