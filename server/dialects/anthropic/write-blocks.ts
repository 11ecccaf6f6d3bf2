import { type JsonObject, parseExactly } from '../json.ts'
import { pictureType } from '../media-signature.ts'
import { refuseFeature, refuseNamed } from '../refuse.ts'
import type {
  FilePart,
  ImagePart,
  Media,
  Part,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
} from '../spec.ts'
import type { CacheMarks } from './cache-marks.ts'

export const NO_RESULT = '(no result)'

/** Of a user turn. Thoughts and calls have no place in one. */
export function writeUserBlocks(parts: readonly Part[], marks: CacheMarks): JsonObject[] {
  return parts.flatMap(part => {
    switch (part.type) {
      case 'tool-result':
        return [marks.mark(writeResult(part, marks), part.cache)]
      case 'audio':
        return refuseFeature('feature.audio-input')
      case 'thinking':
      case 'tool-call':
        return []
      default:
        return writeMaterial(part, marks)
    }
  })
}

/** Of an assistant turn, which can hold text, thoughts and calls only. Claude alone signs what it thought. */
export function writeAssistantBlocks(
  parts: readonly Part[],
  marks: CacheMarks,
  signsNothing: boolean,
): JsonObject[] {
  return parts.flatMap(part => {
    switch (part.type) {
      case 'text':
        return writeTextBlock(part, marks)
      case 'tool-call':
        return [marks.mark(writeCall(part), part.cache)]
      case 'thinking':
        return writeThought(part, signsNothing)
      default:
        return []
    }
  })
}

/** Blank texts are a 400. */
export function writeTextBlock(part: TextPart, marks: CacheMarks): JsonObject[] {
  return part.text.trim() === '' ? [] : [marks.mark({ type: 'text', text: part.text }, part.cache)]
}

/** Text of a tool's input as the object that it must be here. */
export function readToolInput(input: string): JsonObject {
  return input.trim() === '' ? {} : (parseExactly(input) ?? { input })
}

/** Who signs nothing needs its thoughts back all the same. */
function writeThought(part: ThinkingPart, signsNothing: boolean): JsonObject[] {
  if (part.signature !== undefined && part.signature.by !== 'anthropic') return []
  if (part.redacted !== undefined) return [{ type: 'redacted_thinking', data: part.redacted }]
  if (part.signature === undefined)
    return signsNothing && part.text !== '' ? [{ type: 'thinking', thinking: part.text, signature: '' }] : []
  return [{ type: 'thinking', thinking: part.text, signature: part.signature.value }]
}

function writeCall(part: ToolCallPart): JsonObject {
  return { type: 'tool_use', id: writeCallId(part.id), name: part.name, input: readToolInput(part.input) }
}

function writeResult(part: ToolResultPart, marks: CacheMarks): JsonObject {
  const content = part.content.flatMap(inner => writeMaterial(inner, marks))
  const isError = part.isError === true
  return {
    type: 'tool_result',
    tool_use_id: writeCallId(part.callId),
    // An error without a text is a 400.
    content: content.length > 0 ? content : isError ? NO_RESULT : '',
    is_error: isError ? true : undefined,
  }
}

/** Ids of other vendors may hold characters that are refused here; the same id always becomes the same. */
export function writeCallId(id: string): string {
  if (id === '') return 'call'
  return id.replace(/[^a-zA-Z0-9_-]/gu, sign => `_x${(sign.codePointAt(0) ?? 0).toString(16)}`)
}

function writeMaterial(part: TextPart | ImagePart | FilePart, marks: CacheMarks): JsonObject[] {
  if (part.type === 'text') return writeTextBlock(part, marks)
  const block = part.type === 'image' ? writeImage(part.source) : writeFile(part)
  return [marks.mark(block, part.cache)]
}

function writeImage(source: Media): JsonObject {
  if ('data' in source) return { type: 'image', source: writeBase64(source.data, pictureType(source)) }
  return { type: 'image', source: writeReference(source) }
}

function writeFile(part: FilePart): JsonObject {
  const { source } = part
  const mediaType = 'mediaType' in source ? source.mediaType : undefined
  if (mediaType?.startsWith('image/')) return writeImage(source)
  const title = part.name === '' ? undefined : part.name
  if (!('data' in source)) return { type: 'document', source: writeReference(source), title }
  if (mediaType === 'application/pdf')
    return { type: 'document', source: writeBase64(source.data, mediaType), title }
  if (!isText(source.mediaType)) refuseFeature('feature.file-type', { type: source.mediaType })
  const data = Buffer.from(source.data, 'base64').toString()
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data }, title }
}

function isText(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType.startsWith('application/json')
}

function writeBase64(data: string, mediaType: string): JsonObject {
  return { type: 'base64', media_type: mediaType, data }
}

function writeReference(source: Exclude<Media, { readonly data: string }>): JsonObject {
  // Whose a file is, only requests in its vendor's own dialect are asked.
  if ('fileId' in source) refuseNamed('file_id')
  return { type: 'url', url: source.url }
}
