import { AppError } from '../../errors.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { asOwner, placeOf } from '../batches/place-of.ts'
import { account } from './account.ts'
import type { FileRow } from './file-rows.ts'

/** At its upstream, where it may be gone already, and then here. Where nobody has the key any more, here alone. */
export async function deleteThere(parts: RelayParts, file: FileRow, request?: Request): Promise<void> {
  const path = `/v1/files/${encodeURIComponent(file.upstream_id)}`
  const upstream = placeOf(parts, account, file, request)
  const gone = new AppError('file.not-found', { id: file.id })
  try {
    if (upstream) await (await asOwner(upstream.send({ method: 'DELETE', path }), gone)).body?.cancel()
  } catch (error) {
    if (error !== gone) throw error
  }
  await parts.store.db.deleteFrom('files').where('id', '=', file.id).execute()
}
