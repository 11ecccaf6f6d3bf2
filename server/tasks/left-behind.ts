import { log } from '../log.ts'
import type { RelayParts } from '../relay/parts.ts'
import type { Place } from '../relay/routing/place.ts'
import { UpstreamFailure } from '../relay/upstream/upstream-failure.ts'
import { deleteThere as deleteAnthropicFile } from './anthropic-files/delete-there.ts'
import { unfinished } from './batches/batch-rows.ts'
import { deleteThere as deleteBatchFile } from './openai-batches/delete-there.ts'
import { deleteThere as deleteOpenaiFile } from './openai-files/delete-there.ts'
import { deleteThere as deleteConversation } from './openai-kept/conversations/delete-there.ts'

const AT_A_TURN = 100
/** What could not be deleted for so long after its account was is forgotten here. */
const TRIED_SECONDS = 30 * 86_400

/** What vendors keep of one kind until somebody deletes it. */
interface Kind<Row> {
  /** For the log. */
  readonly what: string
  /** Of deleted users: those behind a name, in the order of their names. */
  next(after: string): Promise<readonly (Row & { readonly left_at: number | null })[]>
  nameOf(row: Row): string
  /** At its vendor, and then here. */
  deleteThere(row: Row): Promise<void>
  /** Here alone. */
  forget(name: string): Promise<unknown>
}

/**
 * What those left behind whose account is deleted, and what their vendors would keep for ever or for long: files and
 * conversations. Containers, caches and Gemini's files run out there by themselves. Any number of nodes may do so.
 */
export async function deleteLeft(parts: RelayParts): Promise<void> {
  const { db } = parts.store
  await deleteAll(parts, {
    what: 'file',
    next: after =>
      db
        .selectFrom('anthropic_files as left')
        .innerJoin('users', 'users.id', 'left.user_id')
        .selectAll('left')
        .select('users.deleted_at as left_at')
        .where('users.deleted_at', 'is not', null)
        .where('left.mark', '>', after)
        .orderBy('left.mark')
        .limit(AT_A_TURN)
        .execute(),
    nameOf: ({ mark }) => mark,
    deleteThere: row => deleteAnthropicFile(parts, row),
    forget: mark => db.deleteFrom('anthropic_files').where('mark', '=', mark).execute(),
  })
  await deleteAll(parts, {
    what: 'file',
    next: after =>
      db
        .selectFrom('openai_files as left')
        .innerJoin('users', 'users.id', 'left.user_id')
        .selectAll('left')
        .select('users.deleted_at as left_at')
        .where('users.deleted_at', 'is not', null)
        .where('left.mark', '>', after)
        .orderBy('left.mark')
        .limit(AT_A_TURN)
        .execute(),
    nameOf: ({ mark }) => mark,
    deleteThere: row => deleteOpenaiFile(parts, row),
    forget: mark => db.deleteFrom('openai_files').where('mark', '=', mark).execute(),
  })
  await deleteAll(parts, {
    what: 'file',
    next: after =>
      db
        .selectFrom('files as left')
        .innerJoin('users', 'users.id', 'left.user_id')
        .selectAll('left')
        .select('users.deleted_at as left_at')
        .where('users.deleted_at', 'is not', null)
        .where('left.id', '>', after)
        // A batch that still runs is made of it.
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('batches')
                .select('batches.id')
                .whereRef('batches.user_id', '=', 'left.user_id')
                .whereRef('batches.file_id', '=', 'left.id')
                .where('batches.state', 'in', unfinished),
            ),
          ),
        )
        .orderBy('left.id')
        .limit(AT_A_TURN)
        .execute(),
    nameOf: ({ id }) => id,
    deleteThere: row => deleteBatchFile(parts, row),
    forget: id => db.deleteFrom('files').where('id', '=', id).execute(),
  })
  await deleteAll(parts, {
    what: 'conversation',
    next: after =>
      db
        .selectFrom('openai_conversations as left')
        .innerJoin('users', 'users.id', 'left.user_id')
        .selectAll('left')
        .select('users.deleted_at as left_at')
        .where('users.deleted_at', 'is not', null)
        .where('left.id', '>', after)
        .orderBy('left.id')
        .limit(AT_A_TURN)
        .execute(),
    nameOf: ({ id }) => id,
    deleteThere: row => deleteConversation(parts, row),
    forget: id => db.deleteFrom('openai_conversations').where('id', '=', id).execute(),
  })
}

async function deleteAll<Row extends Place>(parts: RelayParts, kind: Kind<Row>): Promise<void> {
  // Those that do not answer at all: in this turn they are not asked any more, so that others do not wait for them.
  const silent = new Set<string>()
  let after = ''
  for (;;) {
    const left = await kind.next(after)
    for (const row of left) {
      after = kind.nameOf(row)
      if (await isDeleted(kind, row, silent)) continue
      if ((row.left_at ?? 0) + TRIED_SECONDS <= parts.steadyNow()) await kind.forget(after)
    }
    if (left.length === 0) return
  }
}

async function isDeleted<Row extends Place>(
  kind: Kind<Row>,
  row: Row,
  silent: Set<string>,
): Promise<boolean> {
  const account = `${row.channel_id} ${row.key_hash}`
  if (silent.has(account)) return false
  try {
    await kind.deleteThere(row)
    return true
  } catch (error) {
    if (isSilence(error)) silent.add(account)
    log.warn('what a deleted user left behind could not be deleted; it is tried again', {
      [kind.what]: kind.nameOf(row),
      error,
    })
    return false
  }
}

function isSilence(error: unknown): boolean {
  return error instanceof UpstreamFailure && (error.without === 'timeout' || error.without === 'connect')
}
