import { asArray, asObject, asText, type Json, type JsonObject, parseObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'
import { requireText } from '../../relay/plain/read-fields.ts'
import type { Sent } from '../../relay/request/incoming.ts'
import { readModel } from '../../relay/request/look-at-request.ts'
import { refuseOddForm } from '../../relay/request/odd-forms.ts'
import { type Form, fieldOf, parseMultipart, textsIn } from '../../relay/request/parse-multipart.ts'
import { readJsonBody, readLimited } from '../../relay/request/read-body.ts'
import type { TaskBody } from '../task-words.ts'
import { decisive, isGiven, lengths, refuseContrary, refuseOtherModel, spellings } from './contrary-fields.ts'
import { takeCommands } from './prompt-commands.ts'
import { isContrary, type VideoWish } from './wish.ts'

/** Whose prompts may end in commands. */
export const seedance = /seedance/i
const LARGEST_FORM = 64 * 1024 * 1024
const DEFAULT_MODEL = 'sora-2'
/** Nobody makes longer ones; money depends on it. */
const MOST_SECONDS = 600
const PICTURE_FIELD = 'input_reference'
/** What clients of this family call the first frame and the last. */
const firstNames = ['image', 'image_url', 'first_frame_image', 'first_frame_url', 'img_url'] as const
const lastNames = ['image_tail', 'last_frame_image', 'last_frame_url'] as const

/** A wish in OpenAI's form, or in that of the tools of this family: `duration`, `image`, `metadata`. */
export function readWish({ fields: said, form }: TaskBody): VideoWish {
  const apart = asObject(said.metadata) ?? parseObject(asText(said.metadata) ?? '') ?? {}
  refuseContrary(said, apart)
  const model = readModel(said.model ?? said.model_name ?? DEFAULT_MODEL)
  refuseOtherModel(model, apart)
  const prompt = requireText('prompt', said.prompt ?? apart.prompt)
  const told = seedance.test(model) ? takeCommands(prompt) : { text: prompt, commands: {} }
  const fields: JsonObject = { ...told.commands, ...apart, ...given(said) }
  return {
    model,
    prompt: told.text,
    seconds: longestOf(said, apart) ?? readSeconds(fields.duration, 'duration'),
    ...readShape(fields),
    pictures: () => readPictures(fields, form),
    fields,
    came: form ? { form } : { json: said },
  }
}

/** The longest that is named: whichever the upstream heeds, it makes no longer one. */
function longestOf(...places: readonly JsonObject[]): number | undefined {
  const all = places.flatMap(place => lengths.map(name => readSeconds(place[name], name)))
  const named = all.filter(one => one !== undefined)
  return named.length === 0 ? undefined : Math.max(...named)
}

/** What is null or empty hides nothing that is said elsewhere. */
function given(said: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => isGiven(value)))
}

/** All that a remix says. */
export function readPrompt({ fields }: TaskBody): string {
  return requireText('prompt', fields.prompt)
}

export async function readVideoBody(sent: Sent): Promise<TaskBody> {
  const { request } = sent
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\b/i.test(type)) {
    const { json } = await readJsonBody(sent)
    return { fields: json }
  }
  const bytes = await readLimited(sent, LARGEST_FORM)
  const form = parseMultipart(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), type)
  refuseOddForm(form, spellings)
  const fields: JsonObject = { ...textsIn(form) }
  // What money depends on is there once, or the call is refused.
  for (const name of ['model', 'prompt', 'metadata', ...decisive]) assign(fields, name, fieldOf(form, name))
  return { fields, form }
}

/** What is not there hides nothing that is said elsewhere. */
function assign(fields: JsonObject, name: string, value: string | undefined): void {
  if (value !== undefined) fields[name] = value
}

/** Whole seconds, as text or as a number. */
export function readSeconds(value: Json | undefined, field = 'seconds'): number | undefined {
  if (value === undefined || value === null) return undefined
  const seconds = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value
  if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 1 && seconds <= MOST_SECONDS)
    return seconds
  refuseField(field, 'field.whole-within', { least: 1, most: MOST_SECONDS })
}

/** `size` may be pixels, a resolution or a ratio, as one vendor or the other has it. */
function readShape(fields: JsonObject): Pick<VideoWish, 'size' | 'resolution' | 'ratio'> {
  const sides = sidesOf(fields)
  const size = fields.size ?? sides
  const text = typeof size === 'string' ? size.replace('*', 'x') : size
  if (sides !== undefined && text !== sides) refuseField('width', 'field.twice', { other: 'size' })
  const isText = typeof text === 'string'
  const resolution = readText(fields, 'resolution', /^\d{1,4}[pk]$/i, '720p')
  const ratio =
    readText(fields, 'aspect_ratio', shapePattern, '16:9') ?? readText(fields, 'ratio', shapePattern, '16:9')
  if (text === undefined || text === null) return { size: undefined, resolution, ratio }
  if (isText && /^[1-9]\d{0,4}x[1-9]\d{0,4}$/.test(text)) {
    // One of them has the price, and the other may be what is made.
    if (isContrary(text, resolution)) refuseField('resolution', 'field.twice', { other: 'size' })
    return { size: text, resolution, ratio }
  }
  if (isText && /^\d{3,4}p$/i.test(text)) return { size: undefined, resolution: resolution ?? text, ratio }
  if (isText && /^\d{1,2}:\d{1,2}$/.test(text)) return { size: undefined, resolution, ratio: ratio ?? text }
  refuseField('size', 'field.like', { example: '1280x720' })
}

const shapePattern = /^(\d{1,2}:\d{1,2}|adaptive|keep_ratio|auto)$/

function sidesOf({ width, height }: JsonObject): string | undefined {
  const [hasWidth, hasHeight] = [width, height].map(side => isGiven(side) && side !== 0)
  // The other one may be what an upstream makes of `size`, or of nothing.
  if (hasWidth !== hasHeight) refuseField(hasWidth ? 'height' : 'width', 'field.required')
  return hasWidth ? `${String(width)}x${String(height)}` : undefined
}

function readText(fields: JsonObject, name: string, pattern: RegExp, example: string): string | undefined {
  const value = fields[name]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string' && pattern.test(value)) return value
  refuseField(name, 'field.like', { example })
}

/** Two are the first frame and the last; what more are, each vendor knows. */
function readPictures(fields: JsonObject, form: Form | undefined): readonly string[] {
  const listed = asArray(fields.images)
  const first = fileIn(form) ?? referenceIn(fields[PICTURE_FIELD]) ?? named(fields, firstNames)
  const last = named(fields, lastNames)
  const found = [...(first === undefined ? listed : [first]), ...(last === undefined ? [] : [last])]
  if (found.length === 1 && last !== undefined) refuseField('image', 'field.required')
  return found.map(readPicture)
}

function named(fields: JsonObject, names: readonly string[]): Json | undefined {
  return names.map(name => fields[name]).find(value => value !== undefined && value !== null && value !== '')
}

function fileIn(form: Form | undefined): string | undefined {
  const part = form?.parts.find(({ name, isFile }) => isFile && name === PICTURE_FIELD)
  if (!form || !part) return undefined
  const type = part.contentType?.split(';')[0]?.trim().toLowerCase() || 'image/png'
  return `data:${type};base64,${form.bytes.toString('base64', part.start, part.end)}`
}

/** OpenAI's has an address in an object; a file kept at one vendor means nothing to another. */
function referenceIn(value: Json | undefined): Json | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const reference = asObject(value)
  return reference ? (reference.image_url ?? refuseField(PICTURE_FIELD, 'field.object-with-url')) : value
}

/** How the bytes of the usual kinds of picture begin, as base64. */
const kinds = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['UklGR', 'image/webp'],
  ['R0lGOD', 'image/gif'],
] as const

function readPicture(value: Json): string {
  const text = asText(value) ?? asText(asObject(value)?.url) ?? ''
  if (/^https?:\/\//i.test(text) || /^data:image\/[\w.+-]+;base64,/i.test(text)) return text
  const kind = kinds.find(([start]) => text.startsWith(start))
  if (!kind) refuseField('image', 'field.data-url')
  return `data:${kind[1]};base64,${text}`
}
