import { type JsonObject, parseExactly } from '../json.ts'
import { pictureType } from '../media-signature.ts'
import { refuseFeature } from '../refuse.ts'
import type { FilePart, ImagePart, Media, Part, ToolCallPart, ToolResultPart } from '../spec.ts'
import { sealSignature } from './signatures.ts'

/** A part of a request that is no tool result; undefined for what is not to be sent. */
export function writePart(part: Exclude<Part, ToolResultPart>): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      if (part.signature !== undefined) return { text: part.text, thoughtSignature: part.signature }
      return part.text === '' ? undefined : { text: part.text }
    case 'thinking':
      if (part.signature?.by !== 'gemini') return undefined
      return { text: part.text, thought: true, thoughtSignature: part.signature.value }
    case 'tool-call':
      return writeCall(part)
    case 'image':
    case 'audio':
    case 'file':
      return writeMedia(part.source)
  }
}

function writeCall(part: ToolCallPart): JsonObject {
  const call: JsonObject = { functionCall: { id: part.id, name: part.name, args: readInput(part.input) } }
  if (part.signature?.by === 'gemini') call.thoughtSignature = sealSignature(part.signature)
  return call
}

/** The past cannot be refused: input that is no object is sent inside one. */
function readInput(input: string): JsonObject {
  return input.trim() === '' ? {} : (parseExactly(input) ?? { input })
}

export function writeResult(part: ToolResultPart, name: string, media: readonly JsonObject[]): JsonObject {
  const text = part.content.flatMap(item => (item.type === 'text' ? [item.text] : [])).join('\n')
  const object = text.trimStart().startsWith('{') ? parseExactly(text) : undefined
  const response: JsonObject = part.isError ? { error: text } : (object ?? { output: text })
  const result: JsonObject = { id: part.callId, name, response }
  if (media.length > 0) result.parts = [...media]
  return { functionResponse: result }
}

export function writeResultMedia(part: ToolResultPart): JsonObject[] {
  const media = part.content.filter((item): item is ImagePart | FilePart => item.type !== 'text')
  return media.map(item => writeMedia(item.source))
}

function writeMedia(source: Media): JsonObject {
  if ('data' in source) {
    const mimeType = source.mediaType.startsWith('image/') ? pictureType(source) : source.mediaType
    return { inlineData: { mimeType, data: source.data } }
  }
  if ('url' in source) return { fileData: { mimeType: source.mediaType, fileUri: source.url } }
  if (/^(https?|gs):\/\//.test(source.fileId)) return { fileData: { fileUri: source.fileId } }
  return refuseFeature('feature.file-by-id')
}
