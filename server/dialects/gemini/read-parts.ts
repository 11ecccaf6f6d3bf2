import type { Json, JsonObject } from '../json.ts'
import type { AudioPart, FilePart, ImagePart, Media, Part, TextPart, ToolResultPart } from '../spec.ts'
import type { CallIds } from './call-ids.ts'
import {
  readList,
  readName,
  readObject,
  readOptionalObject,
  readOptionalText,
  readText,
  toJsonText,
} from './check-fields.ts'
import { isOfGoogle } from './read-answer-parts.ts'
import { openSignature, openThought } from './signatures.ts'

/** Parts that no other vendor knows (code that ran at Google, its output) are left out. */
export function readPart(value: Json, field: string, ids: CallIds): Part | undefined {
  const part = readObject(value, field)
  const signature = readOptionalText(part.thoughtSignature, `${field}.thoughtSignature`) || undefined
  if (isSet(part.functionCall)) return readCall(part.functionCall, signature, `${field}.functionCall`, ids)
  if (isSet(part.functionResponse)) return readResult(part.functionResponse, `${field}.functionResponse`, ids)
  if (isSet(part.inlineData)) return readInline(part.inlineData, `${field}.inlineData`)
  if (isSet(part.fileData)) return readReference(part.fileData, `${field}.fileData`)
  if (!isSet(part.text) && (signature === undefined || isOfGoogle(part))) return undefined
  const text = isSet(part.text) ? readText(part.text, `${field}.text`) : ''
  return part.thought === true ? readThought(text, signature) : readPlainText(text, signature)
}

function readThought(text: string, signature: string | undefined): Part | undefined {
  if (signature !== undefined) return { type: 'thinking', text, ...openThought(signature) }
  return text === '' ? undefined : { type: 'thinking', text }
}

function readPlainText(text: string, signature: string | undefined): TextPart | undefined {
  const opened = signature === undefined ? undefined : openSignature(signature)
  if (opened?.by === 'gemini') return { type: 'text', text, signature: opened.value }
  return text === '' ? undefined : { type: 'text', text }
}

function readCall(value: Json | undefined, signature: string | undefined, field: string, ids: CallIds): Part {
  const call = readObject(value, field)
  const name = readName(call.name, `${field}.name`)
  const args = readOptionalObject(call.args, `${field}.args`)
  const id = readOptionalText(call.id, `${field}.id`) || undefined
  return {
    type: 'tool-call',
    id: ids.call(name, id),
    name,
    input: toJsonText(args ?? {}, `${field}.args`),
    ...(signature !== undefined && { signature: openSignature(signature) }),
  }
}

function readResult(value: Json | undefined, field: string, ids: CallIds): ToolResultPart {
  const result = readObject(value, field)
  const name = readName(result.name, `${field}.name`)
  const id = readOptionalText(result.id, `${field}.id`) || undefined
  const response = readOptionalObject(result.response, `${field}.response`) ?? {}
  const content: (TextPart | ImagePart | FilePart)[] = [
    { type: 'text', text: readOutcome(response, `${field}.response`) },
  ]
  readList(result.parts, `${field}.parts`).forEach((item, at) => {
    const media = readResultMedia(item, `${field}.parts[${at}]`)
    if (media) content.push(media)
  })
  return {
    type: 'tool-result',
    callId: ids.answer(name, id),
    name,
    content,
    ...(isFailure(response) && { isError: true }),
  }
}

/** `output` or `error` when it says all there is, otherwise the whole object. */
function readOutcome(response: JsonObject, field: string): string {
  const keys = Object.keys(response)
  const only = keys.length === 1 && (keys[0] === 'output' || isFailure(response)) ? keys[0] : undefined
  const said = only === undefined ? response : response[only]
  return typeof said === 'string' ? said : toJsonText(said ?? null, field)
}

/** Tools commonly answer `{"error": null, …}`, which is no failure. */
function isFailure(response: JsonObject): boolean {
  return Boolean(Object.hasOwn(response, 'error') && response.error) && !isSet(response.output)
}

function readResultMedia(value: Json, field: string): ImagePart | FilePart | undefined {
  const part = readObject(value, field)
  const media = isSet(part.inlineData)
    ? readInline(part.inlineData, `${field}.inlineData`)
    : isSet(part.fileData)
      ? readReference(part.fileData, `${field}.fileData`)
      : undefined
  return media?.type === 'audio' ? { type: 'file', source: media.source } : media
}

function readInline(value: Json | undefined, field: string): ImagePart | AudioPart | FilePart {
  const inline = readObject(value, field)
  const mediaType = readName(inline.mimeType, `${field}.mimeType`).toLowerCase()
  const data = toPlainBase64(readName(inline.data, `${field}.data`))
  return placeMedia({ data, mediaType }, mediaType, inline.displayName)
}

function readReference(value: Json | undefined, field: string): ImagePart | AudioPart | FilePart {
  const file = readObject(value, field)
  const mediaType = readOptionalText(file.mimeType, `${field}.mimeType`)?.toLowerCase() || undefined
  const url = readName(file.fileUri, `${field}.fileUri`)
  return placeMedia({ url, mediaType }, mediaType ?? '', file.displayName)
}

function placeMedia(
  source: Media,
  mediaType: string,
  name: Json | undefined,
): ImagePart | AudioPart | FilePart {
  if (mediaType.startsWith('image/')) return { type: 'image', source }
  if (mediaType.startsWith('audio/')) return { type: 'audio', source }
  return { type: 'file', source, ...(typeof name === 'string' && name !== '' && { name }) }
}

/** Google's bytes may come in the URL alphabet, which no other vendor reads. */
function toPlainBase64(data: string): string {
  return data.includes('-') || data.includes('_') ? data.replaceAll('-', '+').replaceAll('_', '/') : data
}

function isSet(value: Json | undefined): boolean {
  return value !== undefined && value !== null
}
