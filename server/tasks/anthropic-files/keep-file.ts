import type { Kysely } from 'kysely'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import type { AnthropicFile } from '../../relay/anthropic/file-rows.ts'
import type { RelayParts } from '../../relay/parts.ts'
import type { Schema } from '../../store/schema.ts'
import { UniqueViolation } from '../../store/store-error.ts'
import { oneByOne } from '../kept/one-by-one.ts'
import { fileHeaders, pathOf, upstreamOf } from './account.ts'

/** Of one user's, besides what was made for answers. */
const MOST_FILES = 1000
const MOST_BYTES = 10 * 1024 * 1024 * 1024

/** Before an upload begins. What the vendor has thrown away by now is not counted. */
export async function refuseTooMany(
  { store, now }: RelayParts,
  userId: number,
  bytes: number,
): Promise<void> {
  if (!(await hasRoom(store.db, userId, bytes, now()))) throw tooMany()
}

/** A file that the vendor has. It goes from there again where it cannot be kept here. */
export async function keepFile(parts: RelayParts, row: AnthropicFile): Promise<void> {
  try {
    await oneByOne(parts, row.user_id, async transaction => {
      if (!(await hasRoom(transaction, row.user_id, row.bytes, parts.now()))) throw tooMany()
      await transaction.insertInto('anthropic_files').values(row).execute()
    })
  } catch (error) {
    // A vendor that gives one id twice: it is whose it was, and stays.
    if (error instanceof UniqueViolation) throw new AppError('relay.upstream-failed', {}, error)
    await takeBack(parts, row)
    throw error
  }
}

async function hasRoom(db: Kysely<Schema>, userId: number, bytes: number, now: number): Promise<boolean> {
  const { count, sum } = await db
    .selectFrom('anthropic_files')
    .select(({ fn }) => [fn.countAll().as('count'), fn.sum('bytes').as('sum')])
    .where('user_id', '=', userId)
    .where('is_uploaded', '=', 1)
    .where(row => row.or([row('expires_at', '=', 0), row('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return Number(count) < MOST_FILES && Number(sum ?? 0) + bytes <= MOST_BYTES
}

async function takeBack(parts: RelayParts, file: AnthropicFile): Promise<void> {
  try {
    const asked = upstreamOf(parts, file)?.send({
      method: 'DELETE',
      path: pathOf(file.id),
      headers: fileHeaders(),
    })
    await (await asked)?.body?.cancel()
  } catch (error) {
    log.warn('a file that could not be kept could not be deleted at its upstream', { error })
  }
}

function tooMany(): AppError {
  return new AppError('anthropic.too-many-files', { limit: MOST_FILES, bytes: MOST_BYTES })
}
