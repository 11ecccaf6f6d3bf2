import type { Kysely } from 'kysely'
import { AppError } from '../../errors.ts'
import type { GeminiFile } from '../../relay/gemini/file-rows.ts'
import type { RelayParts } from '../../relay/parts.ts'
import type { Schema } from '../../store/schema.ts'
import { UniqueViolation } from '../../store/store-error.ts'
import { oneByOne } from '../kept/one-by-one.ts'

/** Of one user's: the account has room for twice as much, for all of its users together. */
const MOST_FILES = 1000
const MOST_BYTES = 10 * 1024 * 1024 * 1024

/** Later ones are greater, and such a name the vendor would take too. */
export function newFileId(): string {
  return Bun.randomUUIDv7('hex').replaceAll('-', '')
}

/** Before an upload begins. What the vendor has thrown away by now is not counted, nor kept, whosever it was. */
export async function refuseTooMany(
  { store, now }: RelayParts,
  userId: number,
  file: { readonly bytes: number },
): Promise<void> {
  await store.db.deleteFrom('gemini_files').where('expires_at', '<=', now()).execute()
  if (!(await hasRoom(store.db, userId, file))) throw tooMany()
}

export async function keepFile(parts: RelayParts, row: GeminiFile): Promise<void> {
  try {
    await oneByOne(parts, row.user_id, async transaction => {
      if (!(await hasRoom(transaction, row.user_id, row))) throw tooMany()
      await transaction.insertInto('gemini_files').values(row).execute()
    })
  } catch (error) {
    if (error instanceof UniqueViolation) throw new AppError('gemini.file-exists', { name: row.name }, error)
    throw error
  }
}

async function hasRoom(
  db: Kysely<Schema>,
  userId: number,
  { bytes }: { readonly bytes: number },
): Promise<boolean> {
  const { count, sum } = await db
    .selectFrom('gemini_files')
    .select(({ fn }) => [fn.countAll().as('count'), fn.sum('bytes').as('sum')])
    .where('user_id', '=', userId)
    // What batches have made is there by itself.
    .where('upload_sealed', '<>', '')
    .executeTakeFirstOrThrow()
  return Number(count) < MOST_FILES && Number(sum ?? 0) + bytes <= MOST_BYTES
}

function tooMany(): AppError {
  return new AppError('gemini.too-many-files', { limit: MOST_FILES, bytes: MOST_BYTES })
}
