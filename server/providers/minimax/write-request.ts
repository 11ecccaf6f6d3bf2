import { dialects } from '../../dialects/index.ts'
import { asArray, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import type { Destination } from '../define.ts'
import { sayToolChoice } from '../kit/edits/forced-tools.ts'

/** Models before M2: they are asked at another address, and do not show their thoughts apart. */
export function isOld(model: string): boolean {
  return /^(abab|minimax-(text|m1))/i.test(model)
}

/** OpenAI's body with what this vendor knows of it. */
export function writeRequest(asked: NeutralRequest, to: Destination): JsonObject {
  const request = sayToolChoice(asked)
  const { messages, tools, stop, response_format, stream, stream_options } = dialects[
    'openai-chat'
  ].writeRequest(request, to)
  const old = isOld(to.model)
  const body: JsonObject = {
    model: to.model,
    messages: asArray(messages).map(message => (old ? leaveOutThoughts(message) : splitThoughts(message))),
    tools,
    stop,
    response_format,
    stream,
    stream_options,
    max_completion_tokens: request.maxOutput,
    temperature: clamp(request.temperature),
    top_p: clamp(request.topP),
  }
  if (old) return body
  return { ...body, reasoning_split: true, ...writeThinking(request, to.model) }
}

/** M2 thinks always, whatever it is told. */
function writeThinking({ reasoning }: NeutralRequest, model: string): JsonObject | undefined {
  if (!reasoning || /^minimax-m2/i.test(model)) return undefined
  const isOff = reasoning.effort === 'none' || reasoning.budget === 0
  return { thinking: { type: isOff ? 'disabled' : 'adaptive' } }
}

/** Thoughts go back as they came: the vendor wants the chain of them whole. */
function splitThoughts(message: Json): JsonObject {
  const { reasoning_content, ...rest } = asObject(message) ?? {}
  const text = asText(reasoning_content)
  return text ? { ...rest, reasoning_details: [{ type: 'reasoning.text', text }] } : rest
}

function leaveOutThoughts(message: Json): JsonObject {
  const { reasoning_content: _, ...rest } = asObject(message) ?? {}
  return rest
}

/** Above 0, and at most 1. */
function clamp(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.min(1, Math.max(0.01, value))
}
