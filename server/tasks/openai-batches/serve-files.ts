import { AppError } from '../../errors.ts'
import type { Upstream } from '../ask-upstream.ts'
import { asOwner, placeOf } from '../batches/place-of.ts'
import type { OwnedCall } from '../define.ts'
import { readPage, readSought, showPage } from '../page.ts'
import { account } from './account.ts'
import { type FileRow, findFile, ownFiles, showFile } from './file-rows.ts'
import { guardOutput } from './guard-output.ts'

const MOST = 10_000

/** The caller's own, the newest first unless asked otherwise. */
export async function listFiles(call: OwnedCall): Promise<Response> {
  const query = new URL(call.incoming.request.url).searchParams
  const page = readPage(query, MOST, MOST)
  const { after, isRising } = page
  const purpose = readSought(query, 'purpose')
  let { rows } = await ownFiles(call)
  if (purpose) rows = rows.where('purpose', '=', purpose)
  if (after) rows = rows.where('id', isRising ? '>' : '<', after)
  const found = await rows
    .orderBy('id', isRising ? 'asc' : 'desc')
    .limit(page.limit + 1)
    .execute()
  return showPage(found, page, showFile)
}

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
  const headers = new Headers({
    'content-type': 'application/octet-stream',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  if (guarded && response.body) return new Response(guarded(response.body), { headers })
  const length = response.headers.get('content-length')
  if (length !== null) headers.set('content-length', length)
  return new Response(response.body, { headers })
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
