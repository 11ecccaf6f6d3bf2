import { asArray, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import type { AnswerPart, Finish, NeutralAnswer, TokenUsage, ToolCallPart } from '../../dialects/spec.ts'
import { usageOf } from '../kit/answers/count.ts'

export function readAnswer(body: JsonObject): NeutralAnswer | undefined {
  const message = asObject(body.message)
  if (!message || body.done !== true) return undefined
  const thinking = asText(message.thinking)
  const text = asText(message.content)
  const calls = readCalls(message)
  const parts: AnswerPart[] = []
  if (thinking) parts.push({ type: 'thinking', text: thinking })
  if (text) parts.push({ type: 'text', text })
  parts.push(...calls)
  return {
    id: '',
    model: asText(body.model) ?? '',
    created: Math.floor(Date.now() / 1000),
    parts,
    finish: readFinish(body, calls.length > 0),
    usage: readUsage(body),
  }
}

/** A prompt that is wholly cached has no count; then everything is counted here. */
export function readUsage(body: JsonObject): TokenUsage | undefined {
  return usageOf(body.prompt_eval_count, body.eval_count ?? 0)
}

export function readFinish({ done_reason }: JsonObject, called: boolean): Finish {
  if (done_reason === 'length') return { reason: 'length' }
  return { reason: called ? 'tools' : 'stop' }
}

export function readCalls(message: JsonObject): ToolCallPart[] {
  return asArray(message.tool_calls).flatMap(readCall)
}

/** Older servers give their calls no id. */
function readCall(value: Json): ToolCallPart[] {
  const call = asObject(value)
  const called = asObject(call?.function)
  const name = asText(called?.name)
  if (!name) return []
  const id = asText(call?.id) || `call_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`
  return [{ type: 'tool-call', id, name, input: JSON.stringify(asObject(called?.arguments) ?? {}) }]
}
