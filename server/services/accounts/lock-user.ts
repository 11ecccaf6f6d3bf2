import type { Selectable, Transaction } from 'kysely'
import { roles } from '../../../contract/users.ts'
import { lockedOn } from '../../store/lock-rows.ts'
import type { Schema, Users } from '../../store/schema.ts'
import type { App } from '../app.ts'
import type { Caller } from '../call.ts'

export type User = Selectable<Users>

/** Administrators stand above users and below the super administrator, who alone stands above himself. */
export function outranks({ role }: Pick<Caller, 'role'>, user: Pick<User, 'role'>): boolean {
  return role > user.role || role >= roles.root
}

/** The row as it is now, and stays until the transaction ends: nobody is promoted past the check. */
export async function lockUser(
  { store }: Pick<App, 'store'>,
  transaction: Transaction<Schema>,
  id: number,
): Promise<User | undefined> {
  return await transaction
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$call(lockedOn(store.engine))
    .executeTakeFirst()
}
