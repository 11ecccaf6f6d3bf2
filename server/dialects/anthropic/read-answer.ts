import { asArray, asObject, asText, type Json, type JsonObject } from '../json.ts'
import type { AnswerPart, CitationPart, NeutralAnswer } from '../spec.ts'
import { decodeCallId, decodeSignature, readSealed } from './foreign-signature.ts'
import { readFinish } from './map-stop-reason.ts'
import { readUsage } from './read-usage.ts'

export function readAnswer(body: JsonObject): NeutralAnswer | undefined {
  if (!Array.isArray(body.content) || (body.type !== undefined && body.type !== 'message')) return undefined
  const parts = body.content.flatMap(readPart)
  // Nothing said, and no reason given for it.
  if (parts.length === 0 && !asText(body.stop_reason)) return undefined
  return {
    id: asText(body.id) ?? '',
    model: asText(body.model) ?? '',
    created: Math.floor(Date.now() / 1000),
    parts,
    finish: readFinish(body),
    usage: readUsage(asObject(body.usage), body.container),
  }
}

/** Only sources on the web have a place in other dialects. */
export function readCitation(value: Json | undefined): CitationPart | undefined {
  const citation = asObject(value)
  const url = asText(citation?.url)
  if (citation === undefined || url === undefined) return undefined
  return { type: 'citation', url, title: asText(citation.title) }
}

/** Blocks of the vendor's own tools are passed over: their outcome is in the text. */
function readPart(value: Json): readonly AnswerPart[] {
  const block = asObject(value)
  if (block === undefined) return []
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: asText(block.text) ?? '' }, ...readCitations(block)]
    case 'thinking':
      return [
        {
          type: 'thinking',
          text: asText(block.thinking) ?? '',
          signature: decodeSignature(asText(block.signature)),
        },
      ]
    case 'redacted_thinking':
      return [readSealed(asText(block.data) ?? '')]
    case 'tool_use':
      return [
        {
          type: 'tool-call',
          ...decodeCallId(asText(block.id) ?? ''),
          name: asText(block.name) ?? '',
          input: JSON.stringify(asObject(block.input) ?? {}),
        },
      ]
    default:
      return []
  }
}

function readCitations(block: JsonObject): readonly CitationPart[] {
  return asArray(block.citations)
    .map(readCitation)
    .filter(citation => citation !== undefined)
}
