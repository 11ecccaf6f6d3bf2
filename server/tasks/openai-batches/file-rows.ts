import type { Selectable } from 'kysely'
import { AppError } from '../../errors.ts'
import type { Files } from '../../store/batch-schema.ts'
import type { OwnedCall } from '../define.ts'

export type FileRow = Selectable<Files>

/** Later ones are greater: lists go by that. */
export function newFileId(): string {
  return `file-${Bun.randomUUIDv7('hex').replaceAll('-', '')}`
}

/** The caller's own file; somebody else's is as unknown as one that never was. */
export async function findFile(
  { parts, admitted, params }: OwnedCall,
  id = params.id ?? '',
): Promise<FileRow> {
  const row = await parts.store.db
    .selectFrom('files')
    .selectAll()
    .where('id', '=', id.slice(0, 64))
    .where('user_id', '=', admitted.caller.userId)
    .executeTakeFirst()
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
