import { AppError } from '../../errors.ts'
import type { Upstream } from '../ask-upstream.ts'
import { asOwner, placeOf } from '../batches/place-of.ts'
import type { OwnedCall } from '../define.ts'
import { asContent } from '../kept/as-content.ts'
import { account } from './account.ts'
import { deleteThere } from './delete-there.ts'
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
  await deleteThere(call.parts, file, call.incoming.request)
  return Response.json({ id: file.id, object: 'file', deleted: true })
}

function upstreamOf({ parts, incoming }: OwnedCall, file: FileRow): Upstream {
  const upstream = placeOf(parts, account, file, incoming.request)
  if (!upstream) throw new AppError('file.not-found', { id: file.id })
  return upstream
}
