import { asArray, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import type { AnswerPart, NeutralAnswer, TokenUsage } from '../../dialects/spec.ts'
import { usageOf } from '../kit/answers/count.ts'
import { mapFinishReason } from './map-finish-reason.ts'

export function readAnswer(body: JsonObject): NeutralAnswer | undefined {
  const message = asObject(body.message)
  if (!message || typeof body.finish_reason !== 'string') return undefined
  const plan = asText(message.tool_plan)
  return {
    id: asText(body.id) ?? '',
    model: '',
    created: Math.floor(Date.now() / 1000),
    parts: [
      ...asArray(message.content).flatMap(readContent),
      ...(plan ? [{ type: 'text', text: plan } as const] : []),
      ...asArray(message.tool_calls).flatMap(readCall),
    ],
    finish: { reason: mapFinishReason(body.finish_reason) },
    usage: readUsage(body.usage),
  }
}

/**
 * What Cohere charges. `tokens` counts its own template too, and `cached_tokens` is a part of those, so it
 * says nothing of what is charged.
 */
export function readUsage(value: unknown): TokenUsage | undefined {
  const usage = asObject(value)
  const counts = asObject(usage?.billed_units) ?? asObject(usage?.tokens)
  return usageOf(counts?.input_tokens, counts?.output_tokens)
}

function readContent(value: Json): AnswerPart[] {
  const content = asObject(value)
  const thinking = asText(content?.thinking)
  const text = asText(content?.text)
  if (thinking) return [{ type: 'thinking', text: thinking }]
  return text ? [{ type: 'text', text }] : []
}

function readCall(value: Json): AnswerPart[] {
  const call = asObject(value)
  const called = asObject(call?.function)
  const id = asText(call?.id)
  const name = asText(called?.name)
  return id && name ? [{ type: 'tool-call', id, name, input: asText(called?.arguments) ?? '' }] : []
}
