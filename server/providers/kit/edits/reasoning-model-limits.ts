import { asArray, asObject, asText, type JsonObject } from '../../../dialects/json.ts'
import type { Destination, Edits } from '../../define.ts'
import { familyName, isOpenaiModel } from '../families/openai-names.ts'
import { openaiEffort } from './openai-efforts.ts'

const notWhileReasoning = [
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'logprobs',
  'top_logprobs',
  'logit_bias',
] as const

const samplingFields = ['temperature', 'top_p', 'top_logprobs'] as const

/**
 * What OpenAI's reasoning models answer with 400: fields that older models take. And what the others do: the
 * wish to reason, which comes from clients of other vendors.
 */
export function reasoningModelLimits(body: JsonObject, to: Destination): Edits | undefined {
  const name = familyName(to.model)
  const edits: Edits = {}
  if (body.reasoning_effort !== undefined && cannotReason(name)) edits.reasoning_effort = undefined
  if (!isReasoningModel(name)) return Object.keys(edits).length > 0 ? edits : undefined
  if (body.max_tokens !== undefined) {
    edits.max_tokens = undefined
    if (body.max_completion_tokens === undefined) edits.max_completion_tokens = body.max_tokens
  }
  const effort = effortOf(body.reasoning_effort, name)
  if (effort !== undefined && effort !== body.reasoning_effort) edits.reasoning_effort = effort
  if (effort !== 'none' && !name.startsWith('gpt-5-chat'))
    for (const field of notWhileReasoning) if (body[field] !== undefined) edits[field] = undefined
  if (body.stop !== undefined && !takesStops(to.model)) edits.stop = undefined
  return Object.keys(edits).length > 0 ? edits : undefined
}

/** The same in the words of the Responses API. */
export function reasoningResponseLimits(body: JsonObject, to: Destination): Edits | undefined {
  const name = familyName(to.model)
  const edits: Edits = {}
  if (cannotReason(name)) {
    if (body.reasoning !== undefined) edits.reasoning = undefined
    const include = asArray(body.include).filter(what => what !== 'reasoning.encrypted_content')
    if (include.length < asArray(body.include).length) edits.include = include
  } else if (isReasoningModel(name)) {
    const reasoning = asObject(body.reasoning)
    const effort = effortOf(reasoning?.effort, name)
    if (effort !== undefined && effort !== reasoning?.effort) edits.reasoning = { ...reasoning, effort }
    if (effort !== 'none')
      for (const field of samplingFields) if (body[field] !== undefined) edits[field] = undefined
  }
  return Object.keys(edits).length > 0 ? edits : undefined
}

function effortOf(value: unknown, name: string): string | undefined {
  const effort = asText(value)
  return effort === undefined || cannotReason(name) ? undefined : openaiEffort(effort, name)
}

function cannotReason(name: string): boolean {
  return isOpenaiModel(name) && (!isReasoningModel(name) || name.startsWith('gpt-5-chat'))
}

function isReasoningModel(name: string): boolean {
  if (/^o\d/.test(name)) return true
  const generation = /^gpt-(\d+)/.exec(name)?.[1]
  if (generation === undefined) return false
  // Azure deployments drop the dot: gpt-35 and gpt-41 are 3.5 and 4.1.
  return Number(generation) >= 5 && !/^[34]\d$/.test(generation)
}

/** Of those that reason, only the first did; for the others answers are cut here. */
export function takesStops(model: string): boolean {
  const name = familyName(model)
  return !isReasoningModel(name) || /^(o1|gpt-5-chat)(-|$)/.test(name)
}

/** In chat they say nothing of what they thought. */
export function hidesThoughts(model: string): boolean {
  return isReasoningModel(familyName(model))
}
