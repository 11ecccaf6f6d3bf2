import { type JsonObject, parseExactly } from '../json.ts'
import type { CitationPart, MediaOutPart, Signature, ToolCallPart, TranslatedDialect } from '../spec.ts'
import { sealRedacted, sealSignature } from './signatures.ts'

/** Undefined for input that is no JSON object: Gemini has no way to hand that on, only a finish for it. */
export function writeAnswerCall(call: Omit<ToolCallPart, 'type'>): JsonObject | undefined {
  const args = call.input.trim() === '' ? {} : parseExactly(call.input)
  if (!args) return undefined
  const part: JsonObject = { functionCall: { id: call.id, name: call.name, args } }
  if (call.signature) part.thoughtSignature = sealSignature(call.signature)
  return part
}

export function writeThought(text: string, signature: Signature | undefined): JsonObject {
  const part: JsonObject = { text, thought: true }
  if (signature) part.thoughtSignature = sealSignature(signature)
  return part
}

export function writeRedacted(data: string, by: TranslatedDialect): JsonObject {
  return { text: '', thought: true, thoughtSignature: sealRedacted(data, by) }
}

export function writeMediaOut(media: MediaOutPart): JsonObject {
  const part: JsonObject = { inlineData: { mimeType: media.mediaType, data: media.data } }
  if (media.signature !== undefined) part.thoughtSignature = media.signature
  return part
}

export function writeGrounding(citations: readonly CitationPart[]): JsonObject | undefined {
  if (citations.length === 0) return undefined
  return {
    groundingChunks: citations.map(({ url, title }) => ({ web: title ? { uri: url, title } : { uri: url } })),
  }
}
