import type { Kysely } from 'kysely'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import type { OpenaiFile } from '../../relay/openai-kept/file-rows.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import type { Schema } from '../../store/schema.ts'
import { UniqueViolation } from '../../store/store-error.ts'
import { oneByOne } from '../kept/one-by-one.ts'
import { pathOf, upstreamOf } from './account.ts'

/** Of one user's, besides those of batches. */
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
export async function keepFile(parts: RelayParts, row: OpenaiFile): Promise<void> {
  try {
    await oneByOne(parts, row.user_id, async transaction => {
      if (!(await hasRoom(transaction, row.user_id, row.bytes, parts.now()))) throw tooMany()
      await transaction.insertInto('openai_files').values(row).execute()
    })
  } catch (error) {
    // A vendor that gives one id twice: it is whose it was, and stays.
    if (error instanceof UniqueViolation) throw new UpstreamFailure({ without: 'empty' }, error)
    await takeBack(parts, row)
    throw error
  }
}

async function hasRoom(db: Kysely<Schema>, userId: number, bytes: number, now: number): Promise<boolean> {
  const { count, sum } = await db
    .selectFrom('openai_files')
    .select(({ fn }) => [fn.countAll().as('count'), fn.sum('bytes').as('sum')])
    .where('user_id', '=', userId)
    .where(row => row.or([row('expires_at', '=', 0), row('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return Number(count) < MOST_FILES && Number(sum ?? 0) + bytes <= MOST_BYTES
}

async function takeBack(parts: RelayParts, file: OpenaiFile): Promise<void> {
  try {
    const asked = upstreamOf(parts, file)?.send({ method: 'DELETE', path: pathOf(file.id) })
    await (await asked)?.body?.cancel()
  } catch (error) {
    log.warn('a file that could not be kept could not be deleted at its upstream', { error })
  }
}

function tooMany(): AppError {
  return new AppError('file.too-much', { limit: MOST_FILES, bytes: MOST_BYTES })
}
