import { asArray, asNumber, asObject, asText, type JsonObject } from '../../dialects/json.ts'
import type { AnswerPart, Finish, NeutralAnswer, TokenUsage, ToolCallPart } from '../../dialects/spec.ts'
import { asCount, usageOf } from '../kit/answers/count.ts'

export function readAnswer(body: JsonObject): NeutralAnswer | undefined {
  const response = asObject(body.Response) ?? body
  const choice = asObject(asArray(response.Choices)[0])
  const message = asObject(choice?.Message)
  if (!choice || !message) return undefined
  const thinking = asText(message.ReasoningContent)
  const text = asText(message.Content)
  const calls = asArray(message.ToolCalls).flatMap(call => readCall(asObject(call)))
  const parts: AnswerPart[] = []
  if (thinking) parts.push({ type: 'thinking', text: thinking })
  if (text) parts.push({ type: 'text', text })
  parts.push(...calls)
  return {
    id: asText(response.Id) ?? '',
    model: '',
    created: asNumber(response.Created) ?? Math.floor(Date.now() / 1000),
    parts,
    finish: readFinish(choice.FinishReason) ?? { reason: calls.length > 0 ? 'tools' : 'stop' },
    usage: readUsage(response),
  }
}

/** Of a whole answer, with or without its wrapper, and of a piece of a stream: there it is of all so far. */
export function readUsage(body: JsonObject): TokenUsage | undefined {
  const usage = asObject((asObject(body.Response) ?? body).Usage)
  const cached = asCount(asObject(usage?.PromptTokensDetails)?.CachedTokens)
  return usageOf(usage?.PromptTokens, usage?.CompletionTokens, cached ? { cacheRead: cached } : {})
}

const finishes = new Map<unknown, Finish>([
  ['stop', { reason: 'stop' }],
  ['length', { reason: 'length' }],
  ['sensitive', { reason: 'filtered' }],
  ['content_filter', { reason: 'filtered' }],
  ['tool_calls', { reason: 'tools' }],
])

/** Undefined when nothing is said of an end. */
export function readFinish(said: unknown): Finish | undefined {
  if (typeof said !== 'string' || said === '') return undefined
  return finishes.get(said) ?? { reason: 'stop' }
}

/** Some models give their calls no id. */
function readCall(call: JsonObject | undefined): ToolCallPart[] {
  const called = asObject(call?.Function)
  const name = asText(called?.Name)
  if (!name) return []
  return [
    { type: 'tool-call', id: asText(call?.Id) || newCallId(), name, input: asText(called?.Arguments) ?? '' },
  ]
}

export function newCallId(): string {
  return `call_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`
}
