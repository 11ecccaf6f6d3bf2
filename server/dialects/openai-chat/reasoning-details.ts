import { asArray, asObject, asText, type Json, type JsonObject } from '../json.ts'
import type { ThinkingPart, TranslatedDialect } from '../spec.ts'

// `reasoning_details` carries what the plain `reasoning_content` cannot: signatures and sealed thinking.
// `format` names who made them; without it they are Anthropic's, and nobody else can prove what has another.

const FORMATS: Record<TranslatedDialect, string> = {
  anthropic: 'anthropic-claude-v1',
  gemini: 'google-gemini-v1',
  'openai-responses': 'openai-responses-v1',
  'openai-chat': 'openai-chat-v1',
}

type Detail =
  | {
      readonly type: 'text'
      readonly text: string
      readonly signature?: string
      readonly by: TranslatedDialect
    }
  | { readonly type: 'sealed'; readonly data: string; readonly by: TranslatedDialect }

export function readDetail(value: Json): Detail | undefined {
  const entry = asObject(value)
  if (entry === undefined) return undefined
  const by = readMaker(entry.format)
  if (entry.type === 'reasoning.text')
    return {
      type: 'text',
      text: asText(entry.text) ?? '',
      signature: asText(entry.signature) || undefined,
      by,
    }
  if (entry.type === 'reasoning.summary') return { type: 'text', text: asText(entry.summary) ?? '', by }
  const data = asText(entry.data)
  return entry.type === 'reasoning.encrypted' && data ? { type: 'sealed', data, by } : undefined
}

function readMaker(format: unknown): TranslatedDialect {
  switch (format) {
    case FORMATS.gemini:
      return 'gemini'
    case FORMATS['openai-responses']:
      return 'openai-responses'
    case FORMATS.anthropic:
    case undefined:
    case null:
      return 'anthropic'
    default:
      return 'openai-chat'
  }
}

/** The thinking of an assistant message. The details hold its text too, when they hold any text. */
export function readThinking(message: JsonObject): ThinkingPart[] {
  const details = joinDetails(asArray(message.reasoning_details))
  const text = asText(message.reasoning_content) || asText(message.reasoning) || ''
  if (text === '' || details.some(part => part.text !== '')) return details
  return [{ type: 'thinking', text }, ...details]
}

/** Clients that keep the pieces of a stream send text in several entries, the last with the signature. */
function joinDetails(entries: readonly Json[]): ThinkingPart[] {
  const parts: ThinkingPart[] = []
  let text = ''
  const close = () => {
    if (text !== '') parts.push({ type: 'thinking', text })
    text = ''
  }
  for (const entry of entries) {
    const detail = readDetail(entry)
    if (detail?.type === 'text') {
      text += detail.text
      if (detail.signature === undefined) continue
      parts.push({ type: 'thinking', text, signature: { by: detail.by, value: detail.signature } })
      text = ''
    } else if (detail !== undefined) {
      close()
      parts.push(readSealed(detail.data, detail.by))
    }
  }
  close()
  return parts
}

function readSealed(data: string, by: TranslatedDialect): ThinkingPart {
  if (by === 'anthropic') return { type: 'thinking', text: '', redacted: data }
  return { type: 'thinking', text: '', signature: { by, value: data } }
}

/** Undefined when `reasoning_content` says all there is. */
export function writeDetails(parts: readonly ThinkingPart[]): JsonObject[] | undefined {
  if (!parts.some(part => part.signature !== undefined || part.redacted !== undefined)) return undefined
  return parts.map((part, index) =>
    part.redacted === undefined
      ? writeTextDetail(part.text, part.signature, index)
      : writeSealedDetail(part.redacted, part.signature?.by ?? 'anthropic', index),
  )
}

export function writeTextDetail(
  text: string,
  signature: ThinkingPart['signature'],
  index: number,
): JsonObject {
  if (signature === undefined) return { type: 'reasoning.text', text, index }
  const format = FORMATS[signature.by]
  return { type: 'reasoning.text', text, signature: signature.value, format, index }
}

export function writeSealedDetail(data: string, by: TranslatedDialect, index: number): JsonObject {
  return { type: 'reasoning.encrypted', data, format: FORMATS[by], index }
}
