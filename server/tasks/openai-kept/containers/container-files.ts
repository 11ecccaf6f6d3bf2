import { asText, type JsonObject } from '../../../dialects/json.ts'
import { refuseFeature, refuseField } from '../../../dialects/refuse.ts'
import { AppError } from '../../../errors.ts'
import { readText } from '../../../outbound/read-body.ts'
import { filesOf, refuseApart } from '../../../relay/openai-kept/lead-to-files.ts'
import type { Sent } from '../../../relay/request/incoming.ts'
import { fieldOf, parseMultipart } from '../../../relay/request/parse-multipart.ts'
import { readLimited } from '../../../relay/request/read-body.ts'
import { writeMultipart } from '../../../relay/request/write-multipart.ts'
import type { Asking } from '../../../relay/stored-answers/ask-keeper.ts'
import type { OwnedCall } from '../../define.ts'
import { asContent } from '../../kept/as-content.ts'
import { readTaskBody } from '../../read-task-body.ts'
import { asJson, LARGEST_ANSWER } from '../keeping.ts'
import { askIn, type OwnContainer, openOwn } from './serve-containers.ts'

/** Held whole while it goes on. */
const LARGEST_FILE = 64 * 1024 * 1024
const askable: ReadonlySet<string> = new Set(['after', 'limit', 'order'])

/** One file, as it was sent, or one of the caller's that is in the same account already. */
export async function addFile(call: OwnedCall): Promise<Response> {
  const own = await openOwn(call)
  const body = await readFile(call, own)
  return told(askIn(call, own, { method: 'POST', path: '/files', body }))
}

type Body = NonNullable<Asking['body']>

async function readFile(call: OwnedCall, { place }: OwnContainer): Promise<Body> {
  const { parts, incoming, admitted } = call
  const { request } = incoming
  const type = request.headers.get('content-type') ?? ''
  const isForm = /^multipart\/form-data\b/i.test(type)
  const given = isForm ? await readForm(incoming, type) : nameIn(await readTaskBody(incoming))
  if (typeof given !== 'string') return given
  if (given === '') refuseField('file_id', 'field.required')
  const named = { file_id: given }
  refuseApart(parts, await filesOf(parts, admitted.caller, named), place)
  return { bytes: JSON.stringify(named), type: 'application/json' }
}

/** The file itself, or the id of one. */
async function readForm(sent: Sent, type: string): Promise<string | Body> {
  const bytes = await readLimited(sent, LARGEST_FILE)
  const form = parseMultipart(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), type)
  const [first, second] = form.parts
  if (first && second)
    refuseField(second.name.slice(0, 60), 'field.twice', { other: first.name.slice(0, 60) })
  if (first?.name === 'file_id' && !first.isFile) return fieldOf(form, 'file_id') ?? ''
  if (first && first.name !== 'file') refuseFeature('feature.named', { name: first.name.slice(0, 60) })
  if (!first?.isFile) refuseField('file', 'field.file')
  // Written anew: of two boundaries some readers take the second, and would find another form inside of the file.
  const boundary = `form-${crypto.randomUUID()}`
  return {
    bytes: writeMultipart(form, {}, boundary),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}

function nameIn({ file_id, ...others }: JsonObject): string {
  const [other] = Object.keys(others)
  if (other !== undefined) refuseFeature('feature.named', { name: other.slice(0, 60) })
  return asText(file_id) ?? ''
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
  return asContent(response)
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
