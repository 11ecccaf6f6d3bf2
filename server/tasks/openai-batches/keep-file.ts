import type { Kysely } from 'kysely'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import type { RelayParts } from '../../relay/parts.ts'
import type { Schema } from '../../store/schema.ts'
import { placeOf } from '../batches/place-of.ts'
import { oneByOne } from '../kept/one-by-one.ts'
import { account } from './account.ts'
import type { FileRow } from './file-rows.ts'

/** Of one user's, besides what batches have made. */
const MOST_FILES = 1000
const DAY = 86_400

/** Before a file is sent on. What the upstream has thrown away by now is not counted, nor kept. */
export async function refuseTooMany({ store, now }: RelayParts, userId: number): Promise<void> {
  const old = store.db.deleteFrom('files').where('user_id', '=', userId).where('expires_at', '>', 0)
  await old.where('expires_at', '<=', now() - DAY).execute()
  if (!(await hasRoom(store.db, userId))) throw tooMany()
}

/** A file that the upstream has: it goes from there again where others that came meanwhile were the last. */
export async function keepFile(parts: RelayParts, row: FileRow): Promise<void> {
  const isKept = await oneByOne(parts, row.user_id, async transaction => {
    if (!(await hasRoom(transaction, row.user_id))) return false
    await transaction.insertInto('files').values(row).execute()
    return true
  })
  if (isKept) return
  await takeBack(parts, row)
  throw tooMany()
}

async function hasRoom(db: Kysely<Schema>, userId: number): Promise<boolean> {
  const { count } = await db
    .selectFrom('files')
    .select(files => files.fn.countAll().as('count'))
    .where('user_id', '=', userId)
    .where('purpose', '=', 'batch')
    .executeTakeFirstOrThrow()
  return Number(count) < MOST_FILES
}

/** What it does not give back ends there by itself: nobody knows its name. */
async function takeBack(parts: RelayParts, row: FileRow): Promise<void> {
  const path = `/v1/files/${encodeURIComponent(row.upstream_id)}`
  try {
    await (await placeOf(parts, account, row)?.send({ method: 'DELETE', path }))?.body?.cancel()
  } catch (error) {
    log.warn('a file that was one too many could not be deleted at its upstream', { error })
  }
}

function tooMany(): AppError {
  return new AppError('file.too-many', { limit: MOST_FILES })
}
