import { asText, isObject, type Json, type JsonObject } from '../json.ts'
import { refuseFeature, refuseField, refuseValue } from '../refuse.ts'
import type { AudioPart, CacheMark, FilePart, ImagePart, Media, Part, TextPart } from '../spec.ts'
import { needText, takeObject } from './check-fields.ts'
import { isDataUrl, splitDataUrl } from './data-url.ts'

/** A message's content: text, or an array of parts. */
export function readContent(content: Json | undefined, field: string): Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) refuseField(field, 'field.string-or-list')
  return content.map((part, index) => readPart(part, `${field}[${index}]`))
}

function readPart(value: Json, field: string): Part {
  if (typeof value === 'string') return { type: 'text', text: value }
  if (!isObject(value)) refuseField(field, 'field.object')
  switch (value.type) {
    case 'text':
      return readText(value, field)
    case 'refusal':
      return { type: 'text', text: needString(value, 'refusal', field), refusal: true }
    case 'thinking':
      return { type: 'thinking', text: readThinkingTexts(value).join('') }
    case 'image_url':
      return readImage(value, field)
    case 'input_audio':
      return readAudio(value, field)
    case 'file':
      return readFile(value, field)
    case 'video_url':
      return refuseFeature('feature.video-input')
    default:
      return refuseValue(`${field}.type`, value.type)
  }
}

function readText(part: JsonObject, field: string): TextPart {
  return { type: 'text', text: needString(part, 'text', field), cache: readCacheMark(part) }
}

/** Thinking comes as text, or as text parts of its own. */
export function readThinkingTexts(part: JsonObject): string[] {
  if (!Array.isArray(part.thinking)) return [asText(part.thinking) ?? '']
  return part.thinking.map(piece => (isObject(piece) ? (asText(piece.text) ?? '') : ''))
}

export function readImage(part: JsonObject, field: string): ImagePart {
  const holder = part.image_url
  if (typeof holder === 'string')
    return {
      type: 'image',
      source: readUrl(holder, 'image/jpeg', `${field}.image_url`),
      cache: readCacheMark(part),
    }
  if (!isObject(holder)) refuseField(`${field}.image_url`, 'field.object-with-url')
  const url = needText(holder, 'url', `${field}.image_url.url`)
  return {
    type: 'image',
    source: readUrl(url, 'image/jpeg', `${field}.image_url.url`),
    detail: asText(holder.detail),
    cache: readCacheMark(part),
  }
}

function readAudio(part: JsonObject, field: string): AudioPart {
  const audio = takeObject(part, 'input_audio', `${field}.input_audio`) ?? {}
  const data = needText(audio, 'data', `${field}.input_audio.data`)
  const mediaType = readAudioFormat(asText(audio.format) || 'wav')
  return { type: 'audio', source: readBytes(data, mediaType, `${field}.input_audio.data`) }
}

function readAudioFormat(format: string): string {
  return format === 'mp3' ? 'audio/mpeg' : `audio/${format}`
}

function readFile(part: JsonObject, field: string): FilePart {
  const file = takeObject(part, 'file', `${field}.file`) ?? {}
  const fileId = asText(file.file_id)
  const name = asText(file.filename)
  const cache = readCacheMark(part)
  if (fileId) return { type: 'file', source: { fileId }, name, cache }
  const data = needText(file, 'file_data', `${field}.file.file_data`)
  const source = readBytes(data, guessFileType(name), `${field}.file.file_data`)
  return { type: 'file', source, name, cache }
}

function guessFileType(name: string | undefined): string {
  const ending = name?.slice(name.lastIndexOf('.') + 1).toLowerCase()
  if (ending === 'txt') return 'text/plain'
  if (ending === 'md') return 'text/markdown'
  return ending === 'csv' ? 'text/csv' : 'application/pdf'
}

/** Bytes that clients send bare, as a `data:` URL, or as the address of them. */
function readBytes(value: string, mediaType: string, field: string): Media {
  if (isDataUrl(value) || value.startsWith('http://') || value.startsWith('https://'))
    return readUrl(value, mediaType, field)
  return { data: value, mediaType }
}

function readUrl(url: string, fallbackType: string, field: string): Media {
  if (url === '') refuseField(field, 'field.text')
  if (!isDataUrl(url)) return { url }
  return splitDataUrl(url, fallbackType) ?? refuseField(field, 'field.data-url')
}

/** Anthropic's mark, which many chat clients send, or OpenAI's own. */
export function readCacheMark(holder: JsonObject): CacheMark | undefined {
  const mark = holder.cache_control
  if (isObject(mark)) return mark.ttl === '1h' ? 'hour' : 'minutes'
  return isObject(holder.prompt_cache_breakpoint) ? 'minutes' : undefined
}

function needString(part: JsonObject, key: string, field: string): string {
  return asText(part[key]) ?? refuseField(`${field}.${key}`, 'field.string')
}
