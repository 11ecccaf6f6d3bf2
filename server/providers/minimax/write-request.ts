import { dialects } from '../../dialects/index.ts'
import { asArray, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import { AppError } from '../../errors.ts'
import type { Destination } from '../define.ts'

/** Models before M2: they are asked at another address, and do not show their thoughts apart. */
export function isOld(model: string): boolean {
  return /^(abab|minimax-(text|m1))/i.test(model)
}

/** OpenAI's body with what this vendor knows of it. */
export function writeRequest(request: NeutralRequest, to: Destination): JsonObject {
  const { messages, tools, stop, response_format, stream, stream_options } = dialects[
    'openai-chat'
  ].writeRequest(request, to)
  const old = isOld(to.model)
  const offered = mayCall(request) ? tools : undefined
  const body: JsonObject = {
    model: to.model,
    messages: asArray(messages).map(message => (old ? leaveOutThoughts(message) : splitThoughts(message))),
    tools: offered,
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

/** It cannot be made to call a tool; that it may not is said by not offering any. */
function mayCall({ toolChoice }: NeutralRequest): boolean {
  if (toolChoice?.type === 'required' || (toolChoice?.type === 'named' && toolChoice.mode === 'required'))
    throw new AppError('dialect.unsupported', { feature: 'tool_choice' })
  return toolChoice?.type !== 'none'
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
