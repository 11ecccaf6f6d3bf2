import type { Selectable, Transaction } from 'kysely'
import type { TeamRole } from '../../../contract/teams.ts'
import { roles, userStatuses } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import type { Schema, Users } from '../../store/schema.ts'
import { lockUser } from '../accounts/lock-user.ts'
import type { App } from '../app.ts'
import type { Caller } from '../call.ts'

type Database = Transaction<Schema> | App['store']['db']

export function asRole(text: string): TeamRole {
  return text === 'owner' ? 'owner' : 'member'
}

/** What somebody is in a team, if anything. */
export async function roleIn(db: Database, teamId: number, userId: number): Promise<TeamRole | undefined> {
  const row = await db
    .selectFrom('team_members')
    .select('role')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row && asRole(row.role)
}

/**
 * The team as it is until the transaction ends. Whoever changes who belongs to it goes through here, one at a time; to
 * those who are neither in it nor administrators it is one that does not exist.
 */
export async function lockToManage(
  app: App,
  transaction: Transaction<Schema>,
  caller: Caller,
  id: number,
): Promise<Selectable<Users>> {
  const team = await lockTeam(app, transaction, id)
  if (caller.role >= roles.admin) return team
  const role = await roleIn(transaction, id, caller.id)
  if (role === undefined) throw new AppError('row.not-found')
  if (role !== 'owner') throw new AppError('team.owners-only')
  return team
}

export async function lockTeam(
  app: App,
  transaction: Transaction<Schema>,
  id: number,
): Promise<Selectable<Users>> {
  const team = await lockUser(app, transaction, id)
  if (!team || team.role !== roles.team) throw new AppError('row.not-found')
  return team
}

/** Who is deleted meanwhile comes into nothing: what they were in has ended by then. */
export async function lockPerson<Person extends { readonly id: number }>(
  app: App,
  transaction: Transaction<Schema>,
  person: Person | undefined,
): Promise<Person> {
  if (!(person && (await lockUser(app, transaction, person.id)))) throw new AppError('users.unknown')
  return person
}

/** A person by their exact name, or by an address that is theirs: nobody is who only calls themselves like one. */
export async function findPerson(
  db: Database,
  named: { readonly username: string } | { readonly addresses: readonly string[] },
): Promise<{ readonly id: number; readonly username: string } | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'username'])
    .where(user =>
      'username' in named ? user('username', '=', named.username) : user('email', 'in', named.addresses),
    )
    .where('role', '>=', roles.user)
    .where('status', '=', userStatuses.active)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}
