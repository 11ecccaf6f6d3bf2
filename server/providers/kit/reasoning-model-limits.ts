import type { JsonObject } from '../../dialects/json.ts'
import type { Destination, Edits } from '../define.ts'
import { familyName } from './openai-names.ts'

const notWhileReasoning = [
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'logprobs',
  'top_logprobs',
  'logit_bias',
] as const

/** What OpenAI's reasoning models answer with 400: fields that older models take. */
export function reasoningModelLimits(body: JsonObject, to: Destination): Edits | undefined {
  const name = familyName(to.model)
  if (!isReasoningModel(name)) return undefined
  const edits: Edits = {}
  if (body.max_tokens !== undefined) {
    edits.max_tokens = undefined
    if (body.max_completion_tokens === undefined) edits.max_completion_tokens = body.max_tokens
  }
  if (body.reasoning_effort !== 'none' && !name.startsWith('gpt-5-chat'))
    for (const field of notWhileReasoning) if (body[field] !== undefined) edits[field] = undefined
  if (body.stop !== undefined && refusesStop(name)) edits.stop = undefined
  return Object.keys(edits).length > 0 ? edits : undefined
}

function isReasoningModel(name: string): boolean {
  if (/^o\d/.test(name)) return true
  const generation = /^gpt-(\d+)/.exec(name)?.[1]
  if (generation === undefined) return false
  // Azure deployments drop the dot: gpt-35 and gpt-41 are 3.5 and 4.1.
  return Number(generation) >= 5 && !/^[34]\d$/.test(generation)
}

function refusesStop(name: string): boolean {
  return /^(o3|o4-mini)(-|$)/.test(name)
}
