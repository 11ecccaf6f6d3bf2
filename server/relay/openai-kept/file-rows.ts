import type { Selectable } from 'kysely'
import { AppError } from '../../errors.ts'
import type { OpenaiFiles } from '../../store/openai-schema.ts'
import type { Caller } from '../callers/caller.ts'
import { sharedTokens } from '../chat/shares-answers.ts'
import type { RelayParts } from '../parts.ts'
import type { Channel } from '../routing/channel.ts'

export type OpenaiFile = Selectable<OpenaiFiles>

const fileId = /^[\w-]{1,128}$/
/** OpenAI itself: Azure has other purposes for its files. */
const CHANNEL_TYPE = 1

/** Whether its account is one in which files are kept for callers. */
export function keepsFiles({ type }: Pick<Channel, 'type'>): boolean {
  return type === CHANNEL_TYPE
}

/** As it may stand in an address. */
export function isFileId(id: string): boolean {
  return fileId.test(id)
}

export function unknownFile(id: string): AppError {
  return new AppError('file.not-found', { id: id.slice(0, 128) })
}

/** Those of a caller's that their vendor has not thrown away. */
export async function ownFiles({ store, now }: RelayParts, caller: Caller) {
  const shared = await sharedTokens({ store }, caller)
  const own = store.db
    .selectFrom('openai_files')
    .selectAll()
    .where('user_id', '=', caller.userId)
    .where(row => row.or([row('expires_at', '=', 0), row('expires_at', '>', now())]))
  return { rows: shared ? own.where('token_id', 'in', shared) : own }
}

/** Those of these ids, by them. */
export async function findFiles(
  parts: RelayParts,
  caller: Caller,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, OpenaiFile>> {
  const possible = [...ids].filter(isFileId)
  if (possible.length === 0) return new Map()
  const { rows } = await ownFiles(parts, caller)
  const found = await rows.where('id', 'in', possible).execute()
  return new Map(found.map(row => [row.id, row]))
}

export async function findOwnFile(
  parts: RelayParts,
  caller: Caller,
  id: string,
): Promise<OpenaiFile | undefined> {
  return (await findFiles(parts, caller, [id])).get(id)
}

/**
 * Which of these are somebody's: uploaded to be named, or for a batch, or made by one. What its vendor has thrown away is
 * nobody's.
 */
export async function areKnown(
  { store, now }: RelayParts,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const possible = ids.filter(isFileId)
  if (possible.length === 0) return new Set()
  const named = await store.db
    .selectFrom('openai_files')
    .select('id')
    .where('id', 'in', possible)
    .where(row => row.or([row('expires_at', '=', 0), row('expires_at', '>', now())]))
    .execute()
  const ofBatches = await store.db
    .selectFrom('files')
    .select('upstream_id as id')
    .where('upstream_id', 'in', possible)
    .execute()
  return new Set([...named, ...ofBatches].map(({ id }) => id))
}
