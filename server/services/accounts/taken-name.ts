import { type Kysely, sql, type Transaction } from 'kysely'
import { AppError } from '../../errors.ts'
import type { Store } from '../../store/index.ts'
import { lockedOn } from '../../store/lock-rows.ts'
import type { Schema } from '../../store/schema.ts'
import { UniqueViolation } from '../../store/store-error.ts'
import { INSTANCE_ID } from '../../store/system-facts.ts'

const capitals = /[A-Z]/g

/** Asked early, which spares the hash of a password; `takeName` has the last word. */
export async function refuseTakenName(db: Kysely<Schema>, name: string, ownId?: number): Promise<void> {
  if (await isNameTaken(db, name, ownId)) throw new AppError('user.name-taken')
}

/**
 * For whoever is about to write a name, in the same transaction. The index knows names that are the same to the letter;
 * of those that differ in capitals alone there are some from before, and two new ones would both get by that come at
 * once, so they come one after the other.
 */
export async function takeName(
  { engine }: Pick<Store, 'engine'>,
  transaction: Transaction<Schema>,
  name: string,
  ownId?: number,
): Promise<void> {
  await transaction
    .selectFrom('system')
    .select('key')
    .where('key', '=', INSTANCE_ID)
    .$call(lockedOn(engine))
    .execute()
  if (await isNameTaken(transaction, name, ownId)) throw new UniqueViolation(`${name} is somebody already`)
}

/**
 * Whether somebody else is called so, in capitals or not; deleted accounts and teams count. What one is called already
 * is one's own.
 */
export async function isNameTaken(db: Kysely<Schema>, name: string, ownId?: number): Promise<boolean> {
  // Not every engine knows the small letters of all scripts; all know these, and as they stand the others.
  const spellings = [name, name.toLowerCase(), name.toUpperCase()].map(text =>
    text.replace(capitals, letter => letter.toLowerCase()),
  )
  const alike = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where(sql`lower(username)`, 'in', [...new Set(spellings)])
    .execute()
  const isOwn = alike.some(({ id, username }) => id === ownId && username === name)
  return !isOwn && alike.some(({ id }) => id !== ownId)
}
