import { asArray, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import type { AnswerPart, Finish, NeutralAnswer, TokenUsage, ToolCallPart } from '../../dialects/spec.ts'
import { asCount } from '../kit/answers/count.ts'

export function readAnswer(body: JsonObject): NeutralAnswer | undefined {
  const choice = choiceOf(body)
  const message = messageOf(choice)
  if (!message) return undefined
  const thinking = asText(message.reasoning_content)
  const text = readTexts(message.content).join('')
  const calls = asArray(message.tool_calls).flatMap(readCall)
  const parts: AnswerPart[] = []
  if (thinking) parts.push({ type: 'thinking', text: thinking })
  if (text) parts.push({ type: 'text', text })
  parts.push(...calls)
  return {
    id: asText(body.request_id) ?? '',
    model: '',
    created: Math.floor(Date.now() / 1000),
    parts,
    finish: readFinish(choice?.finish_reason, calls.length > 0),
    usage: readUsage(body),
  }
}

export function choiceOf(body: JsonObject): JsonObject | undefined {
  return asObject(asArray(asObject(body.output)?.choices)[0])
}

/** With plugins there are several: what they were asked, what they said, and then the answer. */
export function messageOf(choice: JsonObject | undefined): JsonObject | undefined {
  return asObject(choice?.message) ?? asObject(asArray(choice?.messages).at(-1))
}

/** Models that see answer in a list. */
export function readTexts(content: Json | undefined): string[] {
  if (typeof content === 'string') return [content]
  return asArray(content).map(part => asText(asObject(part)?.text) ?? '')
}

export function readFinish(word: Json | undefined, called: boolean): Finish {
  if (word === 'length') return { reason: 'length' }
  return { reason: called ? 'tools' : 'stop' }
}

/** Of the whole answer so far, in a stream too. */
export function readUsage(body: JsonObject): TokenUsage | undefined {
  const usage = asObject(body.usage)
  const input = asCount(usage?.input_tokens)
  const output = asCount(usage?.output_tokens)
  if (!usage || input === undefined || output === undefined) return undefined
  const inside = asObject(usage.prompt_tokens_details)
  return {
    input,
    output,
    cacheRead: asCount(inside?.cached_tokens),
    cacheWrite: asCount(inside?.cache_creation_input_tokens),
    reasoning: asCount(asObject(usage.output_tokens_details)?.reasoning_tokens),
    searches: asCount(asObject(asObject(usage.plugins)?.search)?.count) || undefined,
  }
}

function readCall(value: Json): ToolCallPart[] {
  const call = asObject(value)
  const called = asObject(call?.function)
  const name = asText(called?.name)
  if (!name) return []
  return [
    { type: 'tool-call', id: asText(call?.id) || makeId(), name, input: asText(called?.arguments) ?? '' },
  ]
}

export function makeId(): string {
  return `call_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`
}
