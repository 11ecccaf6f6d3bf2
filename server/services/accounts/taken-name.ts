import { type Kysely, sql } from 'kysely'
import { AppError } from '../../errors.ts'
import type { Schema } from '../../store/schema.ts'

const capitals = /[A-Z]/g

/**
 * The index has the last word on names that are the same to the letter; of those that differ in capitals alone, there
 * are some from before, and only a new one is refused.
 */
export async function refuseTakenName(db: Kysely<Schema>, name: string, ownId?: number): Promise<void> {
  if (await isNameTaken(db, name, ownId)) throw new AppError('user.name-taken')
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
