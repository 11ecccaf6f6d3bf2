import { log } from '../../log.ts'
import { type AnthropicFile, unknownFile } from '../../relay/anthropic/file-rows.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { asOwner } from '../batches/place-of.ts'
import { fileHeaders, pathOf, upstreamOf } from './account.ts'

const AT_A_TURN = 100

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

/** What those left behind whose account is deleted: their vendor would keep it for ever. Any number of nodes may do so. */
export async function deleteLeftFiles(parts: RelayParts): Promise<void> {
  let after = ''
  for (;;) {
    const left = await parts.store.db
      .selectFrom('anthropic_files')
      .innerJoin('users', 'users.id', 'anthropic_files.user_id')
      .selectAll('anthropic_files')
      .where('users.deleted_at', 'is not', null)
      .where('anthropic_files.mark', '>', after)
      .orderBy('anthropic_files.mark')
      .limit(AT_A_TURN)
      .execute()
    for (const file of left)
      await deleteThere(parts, file).catch(error =>
        log.warn('a file of a deleted user could not be deleted; it is tried again', {
          file: file.id,
          error,
        }),
      )
    const last = left.at(-1)
    if (!last) return
    after = last.mark
  }
}
