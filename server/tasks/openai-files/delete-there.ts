import { type OpenaiFile, unknownFile } from '../../relay/openai-kept/file-rows.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { asOwner } from '../batches/place-of.ts'
import { pathOf, upstreamOf } from './account.ts'

/** At its vendor, where it may be gone already, and then here. Where nobody has the key any more, here alone. */
export async function deleteThere(parts: RelayParts, file: OpenaiFile, request?: Request): Promise<void> {
  const gone = unknownFile(file.id)
  const asked = upstreamOf(parts, file, request)?.send({ method: 'DELETE', path: pathOf(file.id) })
  try {
    if (asked) await (await asOwner(asked, gone)).body?.cancel()
  } catch (error) {
    if (error !== gone) throw error
  }
  await parts.store.db.deleteFrom('openai_files').where('mark', '=', file.mark).execute()
}
