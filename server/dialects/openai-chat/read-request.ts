import { asObject, type Json, type JsonObject } from '../json.ts'
import { refuseFeature, refuseField, refuseNamed, refuseValue } from '../refuse.ts'
import type { Effort, NeutralRequest, Reasoning } from '../spec.ts'
import { takeFlag, takeInteger, takeNumber, takeObject, takeText } from './check-fields.ts'
import { readMessages } from './read-messages.ts'
import { readFormat, readToolChoice, readTools, usesOldCalls } from './read-tools.ts'

/**
 * Lost on the way to another dialect, because an answer is right without it: logit_bias, metadata, store,
 * prediction, the names of speakers, how long a cache is kept, and sampling that only some vendors know (min_p,
 * repetition_penalty). Not lost is that an answer be judged.
 */
export function readRequest(
  body: JsonObject,
  path: { readonly model?: string; readonly stream?: boolean },
): NeutralRequest {
  refuseWhatOthersLack(body)
  return {
    model: path.model || takeText(body, 'model') || refuseField('model', 'field.text'),
    stream: path.stream ?? takeFlag(body, 'stream') ?? false,
    ...readMessagesOf(body),
    tools: readTools(body),
    toolChoice: readToolChoice(body),
    parallelTools: usesOldCalls(body) ? false : takeFlag(body, 'parallel_tool_calls'),
    oldCalls: usesOldCalls(body) || undefined,
    temperature: takeNumber(body, 'temperature'),
    topP: takeNumber(body, 'top_p'),
    topK: readTopK(body),
    frequencyPenalty: takeNumber(body, 'frequency_penalty'),
    presencePenalty: takeNumber(body, 'presence_penalty'),
    seed: takeInteger(body, 'seed', Number.MIN_SAFE_INTEGER),
    stop: readStop(body.stop),
    maxOutput: readMaxOutput(body),
    choices: readChoices(body),
    logprobs: takeFlag(body, 'logprobs') ? (takeInteger(body, 'top_logprobs', 0) ?? 0) : undefined,
    reasoning: readReasoning(body),
    format: readFormat(body),
    verbosity: takeText(body, 'verbosity'),
    user: takeText(body, 'user') ?? takeText(body, 'safety_identifier'),
    serviceTier: takeText(body, 'service_tier'),
    cacheKey: takeText(body, 'prompt_cache_key'),
    wantsUsage: takeFlag(
      takeObject(body, 'stream_options') ?? {},
      'include_usage',
      'stream_options.include_usage',
    ),
  }
}

function readMessagesOf(body: JsonObject) {
  const { system, messages } = readMessages(body.messages)
  return { system, messages }
}

function refuseWhatOthersLack(body: JsonObject): void {
  if (Array.isArray(body.modalities) && body.modalities.includes('audio'))
    refuseFeature('feature.audio-output')
  if (body.moderation !== undefined && body.moderation !== null) refuseNamed('moderation')
}

/** Both are checked, whichever counts. */
function readMaxOutput(body: JsonObject): number | undefined {
  const old = takeInteger(body, 'max_tokens', 1)
  return takeInteger(body, 'max_completion_tokens', 1) ?? old
}

function readChoices(body: JsonObject): number | undefined {
  const choices = takeInteger(body, 'n', 1) ?? 1
  return choices > 1 ? choices : undefined
}

/** 0 and −1 are how clients say "no limit". */
function readTopK(body: JsonObject): number | undefined {
  const topK = takeInteger(body, 'top_k', -1)
  return topK !== undefined && topK > 0 ? topK : undefined
}

function readStop(stop: Json | undefined): string[] | undefined {
  if (stop === undefined || stop === null) return undefined
  const all = typeof stop === 'string' ? [stop] : stop
  if (!Array.isArray(all)) refuseField('stop', 'field.string-or-strings')
  const texts = all.map((text, index) =>
    typeof text === 'string' ? text : refuseField(`stop[${index}]`, 'field.string'),
  )
  const said = texts.filter(text => text !== '')
  return said.length === 0 ? undefined : said
}

function readReasoning(body: JsonObject): Reasoning | undefined {
  const effort = readEffort(body.reasoning_effort)
  const thinking = takeObject(body, 'thinking')
  if (thinking === undefined) return effort === undefined ? readOthersWish(body) : { effort }
  if (thinking.type === 'disabled') return { effort, budget: 0 }
  const budget = takeInteger(thinking, 'budget_tokens', 0, 'thinking.budget_tokens')
  return { effort, budget: budget ?? (effort === undefined ? -1 : undefined), visible: true }
}

/** How clients of OpenRouter and of Qwen say it. What is not understood is left, as those vendors leave it. */
function readOthersWish({ reasoning, enable_thinking, thinking_budget }: JsonObject): Reasoning | undefined {
  const wish = asObject(reasoning)
  const hidden = wish?.exclude === true ? { visible: false } : undefined
  if (enable_thinking === false || wish?.enabled === false || wish?.effort === 'none') return { budget: 0 }
  const budget = [wish?.max_tokens, thinking_budget].find(isTokens)
  if (budget !== undefined) return { budget, ...hidden }
  const effort = EFFORTS.find(word => word === wish?.effort)
  if (effort !== undefined) return { effort, ...hidden }
  return enable_thinking === true || wish?.enabled === true ? { budget: -1, ...hidden } : hidden
}

const EFFORTS: readonly Effort[] = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max']

function isTokens(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

function readEffort(value: Json | undefined): Effort | undefined {
  switch (value) {
    case undefined:
    case null:
      return undefined
    case 'none':
    case 'minimal':
    case 'low':
    case 'medium':
    case 'high':
    case 'xhigh':
    case 'max':
      return value
    default:
      return refuseValue('reasoning_effort', value)
  }
}
