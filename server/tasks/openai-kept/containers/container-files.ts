import { refuseFeature, refuseField } from '../../../dialects/refuse.ts'
import { AppError } from '../../../errors.ts'
import { readText } from '../../../outbound/read-body.ts'
import { parseMultipart } from '../../../relay/request/parse-multipart.ts'
import { readLimited } from '../../../relay/request/read-body.ts'
import type { Asking } from '../../../relay/stored-answers/ask-keeper.ts'
import type { OwnedCall } from '../../define.ts'
import { asJson, LARGEST_ANSWER } from '../keeping.ts'
import { askIn, openOwn } from './serve-containers.ts'

/** Held whole while it goes on. */
const LARGEST_FILE = 64 * 1024 * 1024
const askable: ReadonlySet<string> = new Set(['after', 'limit', 'order'])

/** One file, as it was sent. Those that are named are here for batches alone. */
export async function addFile(call: OwnedCall): Promise<Response> {
  const { request } = call.incoming
  const own = await openOwn(call)
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\b/i.test(type)) refuseField('body', 'field.multipart')
  const bytes = await readLimited(request, LARGEST_FILE)
  const form = parseMultipart(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), type)
  for (const { name, isFile } of form.parts)
    if (name !== 'file') refuseFeature('feature.named', { name: name.slice(0, 60) })
    else if (!isFile) refuseField('file', 'field.file')
  const body = { bytes: new Uint8Array(bytes), type }
  return told(askIn(call, own, { method: 'POST', path: '/files', body }))
}

export async function listFiles(call: OwnedCall): Promise<Response> {
  const own = await openOwn(call)
  const query = [...new URL(call.incoming.request.url).searchParams].filter(([name]) => askable.has(name))
  return told(askIn(call, own, { method: 'GET', path: '/files', query }))
}

export function retrieveFile(call: OwnedCall): Promise<Response> {
  return told(askFile(call, { method: 'GET' }))
}

export function deleteFile(call: OwnedCall): Promise<Response> {
  return told(askFile(call, { method: 'DELETE' }))
}

/** As it comes from the vendor, and never as a page of ours. */
export async function serveContent(call: OwnedCall): Promise<Response> {
  const response = await askFile(call, { method: 'GET', accept: '*/*' }, '/content')
  const headers = new Headers({
    'content-type': 'application/octet-stream',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  const length = response.headers.get('content-length')
  if (length !== null && !response.headers.has('content-encoding')) headers.set('content-length', length)
  return new Response(response.body, { headers })
}

async function askFile(
  call: OwnedCall,
  asking: Pick<Asking, 'method' | 'accept'>,
  what = '',
): Promise<Response> {
  const { id = '', file = '' } = call.params
  const own = await openOwn(call)
  const unknown = new AppError('kept.no-container-file', { id, file })
  return askIn(call, own, { ...asking, path: `/files/${file}${what}` }, unknown)
}

async function told(asking: Promise<Response>): Promise<Response> {
  const text = await readText(await asking, LARGEST_ANSWER)
  return text === '' ? new Response(null, { status: 200 }) : asJson(text)
}
