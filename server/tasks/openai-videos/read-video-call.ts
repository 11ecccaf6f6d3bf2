import type { Json, JsonObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'
import { requireText } from '../../relay/plain/read-fields.ts'
import { readModel } from '../../relay/request/look-at-request.ts'
import { type Form, fieldOf, parseMultipart } from '../../relay/request/parse-multipart.ts'
import { readJsonBody, readLimited } from '../../relay/request/read-body.ts'

export interface WantedVideo {
  readonly model: string
  readonly prompt: string
  /** Undefined: as many as the vendor thinks right. */
  readonly seconds: number | undefined
  readonly size: string | undefined
  /** As it came: one of the two. */
  readonly json?: JsonObject | undefined
  readonly form?: Form | undefined
}

const LARGEST_FORM = 64 * 1024 * 1024
const DEFAULT_MODEL = 'sora-2'
/** Nobody makes longer ones; money depends on it. */
const MOST_SECONDS = 600

export async function readVideoCall(request: Request): Promise<WantedVideo> {
  const { fields, json, form } = await readBody(request)
  const { size } = fields
  if (
    size !== undefined &&
    size !== null &&
    !(typeof size === 'string' && /^[1-9]\d{0,4}x[1-9]\d{0,4}$/.test(size))
  )
    refuseField('size', 'field.like', { example: '1280x720' })
  return {
    model: readModel(fields.model ?? DEFAULT_MODEL),
    prompt: requireText('prompt', fields.prompt),
    seconds: readSeconds(fields.seconds),
    size: size ?? undefined,
    json,
    form,
  }
}

/** All that a remix says. */
export async function readPrompt(request: Request): Promise<string> {
  const { fields } = await readBody(request)
  return requireText('prompt', fields.prompt)
}

interface ReadBody {
  readonly fields: JsonObject
  readonly json?: JsonObject
  readonly form?: Form
}

async function readBody(request: Request): Promise<ReadBody> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\b/i.test(type)) {
    const { json } = await readJsonBody(request)
    return { fields: json, json }
  }
  const bytes = await readLimited(request, LARGEST_FORM)
  const form = parseMultipart(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), type)
  const fields: JsonObject = {}
  for (const name of ['model', 'prompt', 'seconds', 'size']) fields[name] = fieldOf(form, name)
  return { fields, form }
}

/** Whole seconds, as text or as a number. */
export function readSeconds(value: Json | undefined): number | undefined {
  if (value === undefined || value === null) return undefined
  const seconds = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value
  if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 1 && seconds <= MOST_SECONDS)
    return seconds
  refuseField('seconds', 'field.whole-within', { least: 1, most: MOST_SECONDS })
}
