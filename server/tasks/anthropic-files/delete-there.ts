import { type AnthropicFile, unknownFile } from '../../relay/anthropic/file-rows.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { asOwner } from '../batches/place-of.ts'
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
