import type { Selectable } from 'kysely'
import { AppError } from '../../errors.ts'
import { sharedTokens } from '../../relay/chat/shares-answers.ts'
import type { Files } from '../../store/batch-schema.ts'
import type { OwnedCall } from '../define.ts'

export type FileRow = Selectable<Files>

/** Later ones are greater: lists go by that. */
export function newFileId(): string {
  return `file-${Bun.randomUUIDv7('hex').replaceAll('-', '')}`
}

/** Whether it is a name of ours, in whichever list it stood. */
export function isBatchFileId(id: string): boolean {
  return /^file-[0-9a-f]{32}$/.test(id)
}

/** Where it stands among others. */
export function markOf(id: string): string {
  return id.slice('file-'.length)
}

/** Those of a caller's: in a team, of their maker's tokens, and all of them for owners. */
export async function ownFiles({ parts, admitted: { caller } }: OwnedCall) {
  const shared = await sharedTokens(parts, caller)
  const own = parts.store.db.selectFrom('files').selectAll().where('user_id', '=', caller.userId)
  return { rows: shared ? own.where('token_id', 'in', shared) : own }
}

/** The caller's own file; somebody else's is as unknown as one that never was. */
export async function findFile(call: OwnedCall, id = call.params.id ?? ''): Promise<FileRow> {
  const { rows } = await ownFiles(call)
  const row = await rows.where('id', '=', id.slice(0, 64)).executeTakeFirst()
  if (!row) throw new AppError('file.not-found', { id: id.slice(0, 64) })
  return row
}

/** In OpenAI's form, under our id. */
export function showFile({ id, bytes, created_at, expires_at, filename, purpose }: FileRow) {
  return {
    id,
    object: 'file',
    bytes,
    created_at,
    filename,
    purpose,
    status: 'processed',
    status_details: null,
    expires_at: expires_at === 0 ? null : expires_at,
  }
}
