import { asArray, asObject, asText, type JsonObject } from '../json.ts'
import type { AnswerPart, CitationPart } from '../spec.ts'
import type { AnswerIds } from './answer-ids.ts'
import { isTooDeep } from './nesting.ts'
import { openSignature, openThought } from './signatures.ts'

export function readAnswerPart(part: JsonObject, ids: AnswerIds): AnswerPart | undefined {
  const signature = asText(part.thoughtSignature) || undefined
  const call = asObject(part.functionCall)
  if (call) return readCall(call, signature, ids)
  const inline = asObject(part.inlineData)
  if (inline) return part.thought === true ? undefined : readMedia(inline, signature)
  // Of models that write down what is said, where that is told apart.
  const text = asText(part.text) ?? asText(asObject(part.audioTranscription)?.text) ?? ''
  if (text === '' && (signature === undefined || isOfGoogle(part))) return undefined
  if (part.thought === true)
    return { type: 'thinking', text, ...(signature !== undefined && openThought(signature)) }
  return { type: 'text', text, ...(signature !== undefined && { signature }) }
}

/** Code that ran there, searches that were made: parts of a kind that nobody else has, with signatures of their own. */
export function isOfGoogle(part: JsonObject): boolean {
  return part.text === undefined && OWN_PARTS.some(name => part[name] !== undefined)
}

const OWN_PARTS = ['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse']

function readCall(call: JsonObject, signature: string | undefined, ids: AnswerIds): AnswerPart | undefined {
  const name = asText(call.name)
  const args = asObject(call.args) ?? {}
  if (!name || isTooDeep(args)) return undefined
  return {
    type: 'tool-call',
    id: asText(call.id) || ids.next(),
    name,
    input: JSON.stringify(args),
    ...(signature !== undefined && { signature: openSignature(signature) }),
  }
}

function readMedia(inline: JsonObject, signature: string | undefined): AnswerPart | undefined {
  const data = asText(inline.data)
  if (!data) return undefined
  const mediaType = asText(inline.mimeType) || 'application/octet-stream'
  return { type: 'media', data, mediaType, ...(signature !== undefined && { signature }) }
}

/** What the search found, and where the model recited from. */
export function readCitations(candidate: JsonObject): CitationPart[] {
  const chunks = asArray(asObject(candidate.groundingMetadata)?.groundingChunks)
  const found = chunks.map(chunk => asObject(asObject(chunk)?.web))
  const metadata = asObject(candidate.citationMetadata)
  const recited = asArray(metadata?.citationSources ?? metadata?.citations).map(asObject)
  return [...found, ...recited].flatMap(source => {
    const url = asText(source?.uri)
    const title = asText(source?.title)
    return url ? [{ type: 'citation', url, ...(title && { title }) }] : []
  })
}
