import { type AnthropicFile, unknownFile } from '../../relay/anthropic/file-rows.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { asOwner } from '../batches/place-of.ts'
import { deleteLeft } from '../kept/delete-left.ts'
import { fileHeaders, pathOf, upstreamOf } from './account.ts'

/** At its vendor, where it may be gone already, and then here. Where nobody has the key any more, here alone. */
export async function deleteThere(parts: RelayParts, file: AnthropicFile, request?: Request): Promise<void> {
  const gone = unknownFile(file.id)
  const asked = upstreamOf(parts, file, request)?.send({
    method: 'DELETE',
    path: pathOf(file.id),
    headers: fileHeaders(request),
  })
  try {
    if (asked) await (await asOwner(asked, gone)).body?.cancel()
  } catch (error) {
    if (error !== gone) throw error
  }
  await parts.store.db.deleteFrom('anthropic_files').where('mark', '=', file.mark).execute()
}

export function deleteLeftFiles(parts: RelayParts): Promise<void> {
  return deleteLeft(
    (mark, most) =>
      parts.store.db
        .selectFrom('anthropic_files')
        .innerJoin('users', 'users.id', 'anthropic_files.user_id')
        .selectAll('anthropic_files')
        .where('users.deleted_at', 'is not', null)
        .where('anthropic_files.mark', '>', mark)
        .orderBy('anthropic_files.mark')
        .limit(most)
        .execute(),
    file => deleteThere(parts, file),
  )
}
