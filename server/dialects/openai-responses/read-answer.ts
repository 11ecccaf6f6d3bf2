import { asArray, asNumber, asObject, asText, type Json, type JsonObject } from '../json.ts'
import { readLogprobs } from '../logprobs.ts'
import type { AnswerPart, Finish, NeutralAnswer, Signature } from '../spec.ts'
import { nameIn } from './namespaces.ts'
import { readCitation, readMadeImage, readReasoning } from './read-item.ts'
import { readUsage } from './read-usage.ts'

/** Undefined for a response that failed too: `readProblem` knows what to make of that. */
export function readAnswer(body: JsonObject): NeutralAnswer | undefined {
  if (!Array.isArray(body.output) || (body.error !== undefined && body.error !== null)) return undefined
  const status = body.status ?? 'completed'
  if (status !== 'completed' && status !== 'incomplete') return undefined
  const parts = readOutput(body.output)
  if (parts.length === 0 && body.status === undefined) return undefined
  return {
    id: asText(body.id) ?? '',
    model: asText(body.model) ?? '',
    created: asNumber(body.created_at) ?? 0,
    parts,
    finish: readFinish(status === 'incomplete', body, {
      called: parts.some(part => part.type === 'tool-call'),
      refused: parts.some(part => part.type === 'text' && part.refusal),
    }),
    usage: readUsage(body),
  }
}

/** An unknown reason for being incomplete is a limit: the client may ask for the rest. */
export function readFinish(
  incomplete: boolean,
  response: JsonObject,
  seen: { readonly called: boolean; readonly refused: boolean },
): Finish {
  if (incomplete) {
    const reason = asText(asObject(response.incomplete_details)?.reason)
    return { reason: reason === 'content_filter' ? 'filtered' : 'length' }
  }
  if (seen.refused) return { reason: 'filtered' }
  return { reason: seen.called ? 'tools' : 'stop' }
}

function readOutput(output: readonly Json[]): AnswerPart[] {
  const parts: AnswerPart[] = []
  let ofCall: Signature | undefined
  for (const value of output) {
    const item = asObject(value)
    if (item?.type === 'message') readMessage(item, parts)
    else if (item?.type === 'function_call') {
      readCall(item, ofCall, parts)
      ofCall = undefined
    } else if (item?.type === 'reasoning') {
      const read = readReasoning(item)
      if (read.thought) parts.push(read.thought)
      ofCall = read.ofCall ?? ofCall
    } else if (item?.type === 'image_generation_call') {
      const made = readMadeImage(item)
      if (made) parts.push(made)
    }
  }
  return parts
}

function readMessage(item: JsonObject, parts: AnswerPart[]): void {
  for (const value of asArray(item.content)) {
    const content = asObject(value)
    const text = asText(content?.text)
    const refusal = asText(content?.refusal)
    if (content?.type === 'output_text' && text)
      parts.push({ type: 'text', text, logprobs: readLogprobs(content.logprobs) })
    else if (content?.type === 'refusal' && refusal)
      parts.push({ type: 'text', text: refusal, refusal: true })
    for (const annotation of asArray(content?.annotations)) {
      const citation = readCitation(annotation)
      if (citation) parts.push(citation)
    }
  }
}

function readCall(item: JsonObject, signature: Signature | undefined, parts: AnswerPart[]): void {
  parts.push({
    type: 'tool-call',
    id: asText(item.call_id) ?? asText(item.id) ?? '',
    name: nameIn(item),
    input: asText(item.arguments) ?? '',
    signature,
  })
}
