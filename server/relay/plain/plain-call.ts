import type { Dialect } from '../../dialects/dialect.ts'
import { dialects } from '../../dialects/index.ts'
import { asText, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'
import type { Picture } from '../../ledger/price/picture-prices.ts'
import type { PlainCapability, PlainEndpoint } from '../../providers/define.ts'
import { readBodyTags } from '../labels/body-tags.ts'
import type { Sent } from '../request/incoming.ts'
import { readModel } from '../request/look-at-request.ts'
import type { Route } from '../request/match-route.ts'
import { objectIn, refuseOddForm } from '../request/odd-forms.ts'
import { refuseOddNames } from '../request/odd-names.ts'
import { type Form, fieldOf, parseMultipart } from '../request/parse-multipart.ts'
import { type JsonBody, readJsonBody, readLimited } from '../request/read-body.ts'
import { type Failover, readFailover } from '../request/read-failover.ts'
import { checkFields } from './check-fields.ts'
import { pictureCounts, readFormNumber } from './read-fields.ts'

export type PlainRoute = Route & { readonly kind: 'plain' }

/** A request that is not chat, as its client sent it: the same for every attempt. */
export interface PlainCall {
  readonly route: PlainRoute
  readonly capability: PlainCapability
  /** The words that the client speaks, also for errors. */
  readonly dialect: Dialect
  readonly form: PlainEndpoint['form']
  readonly model: string
  /** Whether server-sent events are asked for. */
  readonly stream: boolean
  /** The fields of the body; of a multipart form those that matter here. */
  readonly fields: JsonObject
  readonly body: JsonBody | Form
  /** What the price of the pictures depends on that it makes. */
  readonly picture?: Picture | undefined
  readonly failover?: Failover | undefined
  /** What the body says that the call is for. */
  readonly tags?: readonly string[] | undefined
}

const LARGEST_FORM = 128 * 1024 * 1024
/** Where a client knows of no models, because its vendor has none to choose from. */
const usualModels: Readonly<Partial<Record<PlainCapability, string>>> = {
  moderations: 'omni-moderation-latest',
  'web-search': 'perplexity-search',
}
/** What of a form is looked at: all else goes through unread. */
const formTexts = [
  ...['prompt', 'negative_prompt'],
  ...['response_format', 'language', 'quality', 'size', 'stream', 'sequential_image_generation'],
]
const formCounts = [...pictureCounts, 'partial_images', 'num_retries'] as const

export async function readPlainCall(sent: Sent, route: PlainRoute): Promise<PlainCall> {
  const { capability } = route
  const body = await readBody(sent, capability)
  const fields = isForm(body) ? readForm(body) : body.json
  const named = fields.model ?? (capability === 'web-search' ? fields.search_tool_name : undefined)
  const model = readModel(route.model ?? named ?? usualModels[capability])
  const { stream } = checkFields(capability, route.dialect, fields)
  return {
    route,
    capability,
    dialect: dialects[route.dialect],
    form: route.dialect === 'anthropic' || route.dialect === 'gemini' ? route.dialect : 'openai',
    model,
    stream,
    fields,
    body,
    picture: makesPictures(capability)
      ? { size: plainWord(fields.size), quality: plainWord(fields.quality) }
      : undefined,
    failover: readFailover(fields, model),
    tags: readBodyTags(fields),
  }
}

/** Vendors differ in whether they mind capitals; prices must not. */
function plainWord(value: Json | undefined): string | undefined {
  return asText(value)?.trim().toLowerCase()
}

export function makesPictures(capability: PlainCapability): boolean {
  return capability === 'images' || capability === 'image-edits'
}

/** Whether people's or models' words come back, and nothing else. */
export function answersText(capability: PlainCapability): boolean {
  return (
    capability === 'completions' ||
    capability === 'ocr' ||
    capability === 'search' ||
    capability === 'web-search' ||
    isTranscript(capability)
  )
}

/** Whether words come back at all: with pictures, or as the documents that were sent. */
export function holdsText(capability: PlainCapability): boolean {
  return answersText(capability) || makesPictures(capability) || capability === 'rerank'
}

export function isTranscript(capability: PlainCapability): boolean {
  return capability === 'transcriptions' || capability === 'translations'
}

export function isForm(body: JsonBody | Form): body is Form {
  return 'parts' in body
}

/** Where people's words stand. Google has them in places that only its own requests have. */
export function spokenIn({ form, fields }: PlainCall): JsonObject {
  return form === 'gemini' ? { contents: fields } : fields
}

/** The sound that a transcription is asked for. */
export function soundOf({ body }: PlainCall): Buffer {
  if (!isForm(body)) return Buffer.alloc(0)
  const part = body.parts.find(one => one.name === 'file')
  return part ? body.bytes.subarray(part.start, part.end) : Buffer.alloc(0)
}

/** How many pictures come with the request. */
export function countPicturesIn({ body, fields }: PlainCall): number {
  if (isForm(body)) return body.parts.filter(part => part.isFile).length
  return Array.isArray(fields.images) ? fields.images.length : 1
}

async function readBody(sent: Sent, capability: PlainCapability): Promise<JsonBody | Form> {
  const { request } = sent
  const needsForm = isTranscript(capability)
  const type = request.headers.get('content-type') ?? ''
  const hasForm = /^multipart\/form-data\b/i.test(type)
  // Pictures may also be named in JSON.
  if (!needsForm && !(capability === 'image-edits' && hasForm)) return readJsonBody(sent)
  if (!hasForm) refuseField('body', 'field.multipart')
  const bytes = await readLimited(sent, LARGEST_FORM)
  const form = parseMultipart(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), type)
  // Sound that is elsewhere, nobody here can measure; and of two, vendors take the one or the other.
  const sounds = form.parts.filter(part => part.name === 'file' || part.name === 'url')
  if (needsForm && !(sounds.length === 1 && sounds[0]?.isFile && sounds[0].name === 'file'))
    refuseField('file', 'field.file')
  refuseOddForm(form)
  return form
}

function readForm(form: Form): JsonObject {
  const fields: JsonObject = { model: fieldOf(form, 'model') }
  for (const name of formTexts) fields[name] = fieldOf(form, name)
  for (const name of formCounts) fields[name] = readFormNumber(name, fieldOf(form, name))
  fields.sequential_image_generation_options = objectIn(form, 'sequential_image_generation_options')
  fields.metadata = objectIn(form, 'metadata')
  refuseOddNames(fields)
  if (fields.stream === 'true') fields.stream = true
  if (fields.stream === 'false') fields.stream = false
  return fields
}
