import { isObject, type Json, type JsonObject } from '../json.ts'
import { refuseFeature, refuseField, refuseValue } from '../refuse.ts'
import type { AudioPart, CacheMark, FilePart, ImagePart, Media, TextPart } from '../spec.ts'
import { readText, requireName, requireText } from './read-field.ts'

type ContentPart = TextPart | ImagePart | FilePart | AudioPart

/** The content of a message or of a function's output: a text, or a list of parts. */
export function readContent(value: Json | undefined, field: string): ContentPart[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }]
  if (!Array.isArray(value)) refuseField(field, 'field.string-or-list')
  return value.map((part, at) => readPart(part, `${field}[${at}]`))
}

function readPart(part: Json, field: string): ContentPart {
  if (!isObject(part)) refuseField(field, 'field.object')
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: requireText(part.text, `${field}.text`), cache: readCacheMark(part) }
    case 'refusal':
      return { type: 'text', text: requireText(part.refusal, `${field}.refusal`), refusal: true }
    case 'input_image':
      return readImage(part, field)
    case 'input_file':
      return readFile(part, field)
    case 'input_audio':
      return readAudio(part, field)
    default:
      return refuseValue(`${field}.type`, part.type)
  }
}

function readImage(part: JsonObject, field: string): ImagePart {
  const url = readText(part.image_url, `${field}.image_url`)
  const fileId = readText(part.file_id, `${field}.file_id`)
  const detail = readText(part.detail, `${field}.detail`)
  const cache = readCacheMark(part)
  if (url) return { type: 'image', source: readUrl(url, `${field}.image_url`), detail, cache }
  if (fileId) return { type: 'image', source: { fileId }, detail, cache }
  return refuseField(`${field}.image_url`, 'field.required')
}

function readFile(part: JsonObject, field: string): FilePart {
  const data = readText(part.file_data, `${field}.file_data`)
  const url = readText(part.file_url, `${field}.file_url`)
  const fileId = readText(part.file_id, `${field}.file_id`)
  const name = readText(part.filename, `${field}.filename`)
  const cache = readCacheMark(part)
  if (data) return { type: 'file', source: readFileData(data, `${field}.file_data`), name, cache }
  if (url) return { type: 'file', source: { url }, name, cache }
  if (fileId) return { type: 'file', source: { fileId }, name, cache }
  return refuseField(`${field}.file_data`, 'field.required')
}

function readAudio(part: JsonObject, field: string): AudioPart {
  const audio = part.input_audio
  if (!isObject(audio)) refuseField(`${field}.input_audio`, 'field.object')
  const data = requireName(audio.data, `${field}.input_audio.data`)
  const format = requireName(audio.format, `${field}.input_audio.format`)
  return { type: 'audio', source: { data, mediaType: `audio/${format}` } }
}

/** Plain base64 without its `data:` prefix is a PDF: nothing else was ever taken that way. */
function readFileData(data: string, field: string): Media {
  return isDataUrl(data) ? readDataUrl(data, field) : { data, mediaType: 'application/pdf' }
}

function readUrl(url: string, field: string): Media {
  return isDataUrl(url) ? readDataUrl(url, field) : { url }
}

function isDataUrl(url: string): boolean {
  return url.slice(0, 5).toLowerCase() === 'data:'
}

function readDataUrl(url: string, field: string): Media {
  const comma = url.indexOf(',')
  const head = url.slice(5, Math.max(comma, 5)).toLowerCase()
  const mediaType = head.slice(0, Math.max(head.indexOf(';'), 0))
  if (!head.endsWith(';base64') || mediaType === '') refuseField(field, 'field.data-url')
  return { data: url.slice(comma + 1), mediaType }
}

function readCacheMark(part: JsonObject): CacheMark | undefined {
  return isObject(part.prompt_cache_breakpoint) ? 'minutes' : undefined
}

/** System texts only: no vendor takes anything else there. */
export function readSystemContent(value: Json | undefined, field: string): TextPart[] {
  const texts: TextPart[] = []
  for (const part of readContent(value, field)) {
    if (part.type !== 'text') refuseFeature('feature.media-in-system')
    if (part.text !== '') texts.push(part)
  }
  return texts
}
