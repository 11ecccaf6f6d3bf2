import { asArray, asNumber, asObject, asText, type JsonObject } from '../json.ts'
import type { CitationPart, MediaOutPart, Signature, ThinkingPart } from '../spec.ts'
import { type Sealed, unseal } from './seal-signature.ts'

/** Between two parts of one summary, and between a summary and the raw reasoning. */
export const SUMMARY_GAP = '\n\n'

export function readReasoningText(item: JsonObject): string {
  return [...asArray(item.summary), ...asArray(item.content)]
    .map(part => asText(asObject(part)?.text) ?? '')
    .filter(text => text !== '')
    .join(SUMMARY_GAP)
}

export function readSealed(item: JsonObject): Sealed | undefined {
  const content = asText(item.encrypted_content)
  return content === undefined || content === '' ? undefined : unseal(content)
}

/** The thought, and the signature of the call after it when the item carried that. */
export function readReasoning(item: JsonObject): { thought?: ThinkingPart; ofCall?: Signature } {
  const text = readReasoningText(item)
  const sealed = readSealed(item)
  if (sealed?.kind === 'call') return { ofCall: sealed.signature }
  if (sealed?.kind === 'redacted') return { thought: { type: 'thinking', text, redacted: sealed.data } }
  if (sealed) return { thought: { type: 'thinking', text, signature: sealed.signature } }
  return text === '' ? {} : { thought: { type: 'thinking', text } }
}

export function readCitation(value: unknown): CitationPart | undefined {
  const annotation = asObject(value)
  const url = asText(annotation?.url)
  if (annotation?.type !== 'url_citation' || url === undefined) return undefined
  return {
    type: 'citation',
    url,
    title: asText(annotation.title),
    start: asNumber(annotation.start_index),
    end: asNumber(annotation.end_index),
  }
}

export function readMadeImage(item: JsonObject): MediaOutPart | undefined {
  const data = asText(item.result)
  if (data === undefined || data === '') return undefined
  return { type: 'media', data, mediaType: `image/${asText(item.output_format) ?? 'png'}` }
}
