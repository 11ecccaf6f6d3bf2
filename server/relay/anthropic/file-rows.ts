import type { Selectable } from 'kysely'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import type { AnthropicFiles } from '../../store/anthropic-schema.ts'
import { UniqueViolation } from '../../store/store-error.ts'
import { within } from '../../store/within.ts'
import type { Caller } from '../callers/caller.ts'
import { sharedTokens } from '../chat/shares-answers.ts'
import type { RelayParts } from '../parts.ts'
import type { Channel } from '../routing/channel.ts'
import { hashAccount } from '../routing/place.ts'

export type AnthropicFile = Selectable<AnthropicFiles>

const fileId = /^[\w-]{1,128}$/
/** Anthropic itself: who has its models elsewhere (Bedrock, Vertex) keeps no files. */
const CHANNEL_TYPE = 14
/** An answer is worth more than that what its code wrote can be found. */
const WRITTEN_WITHIN_MS = 2000

export function keepsFiles({ type }: Channel): boolean {
  return type === CHANNEL_TYPE
}

/** As it may stand in an address. */
export function isFileId(id: string): boolean {
  return fileId.test(id)
}

/** Later ones are greater. */
export function newMark(): string {
  return Bun.randomUUIDv7('hex').replaceAll('-', '')
}

export function unknownFile(id: string): AppError {
  return new AppError('anthropic.no-file', { id: id.slice(0, 128) })
}

/** Those of a caller's that their vendor has not thrown away. */
export async function ownFiles({ store, now }: RelayParts, caller: Caller) {
  const shared = await sharedTokens({ store }, caller)
  const own = store.db
    .selectFrom('anthropic_files')
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
): Promise<ReadonlyMap<string, AnthropicFile>> {
  const possible = [...ids].filter(isFileId)
  if (possible.length === 0) return new Map()
  const { rows } = await ownFiles(parts, caller)
  const found = await rows.where('id', 'in', possible).execute()
  return new Map(found.map(row => [row.id, row]))
}

export async function hasFiles(parts: RelayParts, caller: Caller): Promise<boolean> {
  const { rows } = await ownFiles(parts, caller)
  return (await rows.limit(1).executeTakeFirst()) !== undefined
}

/** Which of these are somebody's. What its vendor has thrown away is nobody's. */
export async function areKnown(
  { store, now }: RelayParts,
  ids: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const possible = [...ids].filter(isFileId)
  if (possible.length === 0) return new Set()
  const found = await store.db
    .selectFrom('anthropic_files')
    .select('id')
    .where('id', 'in', possible)
    .where(row => row.or([row('expires_at', '=', 0), row('expires_at', '>', now())]))
    .execute()
  return new Set(found.map(({ id }) => id))
}

interface Made {
  readonly userId: number
  readonly tokenId: number
  readonly channel: Channel
  readonly key: string
}

/** What code wrote for an answer is whose the answer is. */
export async function noteFiles(parts: RelayParts, made: Made, ids: readonly string[]): Promise<void> {
  if (!keepsFiles(made.channel)) return
  const note = async (): Promise<void> => {
    for (const id of new Set(ids)) if (isFileId(id)) await addMade(parts, made, id)
  }
  try {
    await within(WRITTEN_WITHIN_MS, note())
  } catch (error) {
    log.warn('a file of an answer could not be noted; its caller will not find it', { error })
  }
}

async function addMade(
  parts: RelayParts,
  { userId, tokenId, channel, key }: Made,
  id: string,
): Promise<void> {
  try {
    await parts.store.db
      .insertInto('anthropic_files')
      .values({
        ...{ mark: newMark(), id, user_id: userId, token_id: tokenId },
        ...{ channel_id: channel.id, key_hash: hashAccount(parts, key) },
        ...{ is_uploaded: 0, bytes: 0, created_at: parts.now(), expires_at: 0, data: '' },
      })
      .execute()
  } catch (error) {
    // Told of before: it stays whose it is.
    if (!(error instanceof UniqueViolation)) throw error
  }
}
