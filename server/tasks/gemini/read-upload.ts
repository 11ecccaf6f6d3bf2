import { asObject, asText, type JsonObject } from '../../dialects/json.ts'
import { refuseChoice, refuseField } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import type { Sent } from '../../relay/request/incoming.ts'
import { readTaskBody } from '../read-task-body.ts'

/** As much as the vendor takes. */
const LARGEST_FILE = 2 * 1024 * 1024 * 1024
const LONGEST_TYPE = 127
const LONGEST_TITLE = 512
/** Google's own examples call lines of JSON so, without what usually stands before it. */
const mimeType = /^(?:jsonl|[\w.+-]+\/[\w.+-]+(?:;[\w\s.+="-]*)?)$/
const fileName = /^files\/([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)$/

export interface WantedFile {
  /** What stands behind `files/`; undefined when the client leaves that to us. */
  readonly name: string | undefined
  readonly title: string | undefined
  readonly bytes: number
  readonly type: string
}

/** How an upload begins: what is to come is said in headers, what it is called in a body that may be absent. */
export async function readStart(sent: Sent): Promise<WantedFile> {
  const { request } = sent
  const { headers } = request
  // The only protocol in which the vendor's own clients upload.
  if (headers.get('x-goog-upload-protocol') !== 'resumable')
    refuseChoice('X-Goog-Upload-Protocol', ['resumable'])
  if (headers.get('x-goog-upload-command') !== 'start') refuseChoice('X-Goog-Upload-Command', ['start'])
  const length = headers.get('x-goog-upload-header-content-length') ?? ''
  const bytes = /^\d{1,15}$/.test(length) ? Number(length) : 0
  if (bytes < 1 || bytes > LARGEST_FILE)
    refuseField('X-Goog-Upload-Header-Content-Length', 'field.whole-within', {
      least: 1,
      most: LARGEST_FILE,
    })
  const isEmpty = request.body === null || headers.get('content-length') === '0'
  const file = isEmpty ? {} : (asObject((await readTaskBody(sent)).file) ?? {})
  const type =
    headers.get('x-goog-upload-header-content-type') ?? asText(file.mimeType ?? file.mime_type) ?? ''
  if (type.length > LONGEST_TYPE || !mimeType.test(type))
    refuseField('X-Goog-Upload-Header-Content-Type', 'field.like', { example: 'image/png' })
  return { name: readName(file), title: readTitle(file), bytes, type }
}

function readName({ name }: JsonObject): string | undefined {
  if (name === undefined || name === null || name === '') return undefined
  const [, own] = fileName.exec(asText(name) ?? '') ?? []
  if (own === undefined) refuseField('file.name', 'field.like', { example: 'files/my-file-1' })
  return own
}

function readTitle(file: JsonObject): string | undefined {
  const title = file.displayName ?? file.display_name
  if (title === undefined || title === null) return undefined
  if (typeof title !== 'string' || title.length > LONGEST_TITLE)
    refuseField('file.displayName', 'field.most-characters', { most: LONGEST_TITLE })
  return title
}

/** What is to be done with the bytes that come, and where they belong. */
export interface UploadStep {
  readonly command: 'upload' | 'upload, finalize' | 'finalize' | 'query' | 'cancel'
  readonly offset: number
  /** Undefined when only its end will tell. */
  readonly length: number | undefined
}

const commands = ['upload', 'upload, finalize', 'finalize', 'query', 'cancel'] as const

export function readStep({ headers, body }: Request): UploadStep {
  const said = (headers.get('x-goog-upload-command') ?? '').toLowerCase().split(',')
  const words = said.map(word => word.trim()).join(', ')
  const command = commands.find(one => one === words)
  if (!command) refuseChoice('X-Goog-Upload-Command', commands)
  if (!command.startsWith('upload')) return { command, offset: 0, length: 0 }
  const coding = headers.get('content-encoding') ?? ''
  // How long it is when it is unpacked, nobody has said.
  if (!/^\s*(identity)?\s*$/i.test(coding))
    throw new AppError('request.coding', { coding: coding.slice(0, 40) })
  const offset = headers.get('x-goog-upload-offset') ?? ''
  if (!/^\d{1,15}$/.test(offset)) refuseField('X-Goog-Upload-Offset', 'field.whole-from', { least: 0 })
  const length = body === null ? '0' : headers.get('content-length')
  return { command, offset: Number(offset), length: length === null ? undefined : Number(length) }
}
