import { AppError } from '../../errors.ts'
import type { Upstream } from '../ask-upstream.ts'
import { asOwner, placeOf } from '../batches/place-of.ts'
import type { OwnedCall } from '../define.ts'
import { asContent } from '../kept/as-content.ts'
import { account } from './account.ts'
import { type FileRow, findFile, showFile } from './file-rows.ts'
import { guardOutput } from './guard-output.ts'

export async function retrieveFile(call: OwnedCall): Promise<Response> {
  return Response.json(showFile(await findFile(call)))
}

/** As it comes from the upstream, but for what the operator's rules mask or block in answers. */
export async function serveFileContent(call: OwnedCall): Promise<Response> {
  const file = await findFile(call)
  const guarded = await guardOutput(call, file)
  call.incoming.keepOpen()
  const asked = upstreamOf(call, file).send({
    path: `/v1/files/${encodeURIComponent(file.upstream_id)}/content`,
    headers: { accept: '*/*', 'accept-encoding': 'identity' },
  })
  const response = await asOwner(asked, new AppError('file.not-found', { id: file.id }))
  return asContent(response, guarded)
}

/** At the upstream, then here. */
export async function deleteFile(call: OwnedCall): Promise<Response> {
  const file = await findFile(call)
  call.incoming.keepOpen()
  const path = `/v1/files/${encodeURIComponent(file.upstream_id)}`
  const upstream = placeOf(call.parts, account, file, call.incoming.request)
  const gone = new AppError('file.not-found', { id: file.id })
  try {
    if (upstream) await (await asOwner(upstream.send({ method: 'DELETE', path }), gone)).body?.cancel()
  } catch (error) {
    // It may be gone already.
    if (error !== gone) throw error
  }
  await call.parts.store.db.deleteFrom('files').where('id', '=', file.id).execute()
  return Response.json({ id: file.id, object: 'file', deleted: true })
}

function upstreamOf({ parts, incoming }: OwnedCall, file: FileRow): Upstream {
  const upstream = placeOf(parts, account, file, incoming.request)
  if (!upstream) throw new AppError('file.not-found', { id: file.id })
  return upstream
}
