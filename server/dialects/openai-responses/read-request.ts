import { asObject, isObject, type Json, type JsonObject } from '../json.ts'
import { refuseChoice, refuseField, refuseNamed } from '../refuse.ts'
import type { Effort, Format, NeutralRequest, Reasoning } from '../spec.ts'
import {
  readCount,
  readFlag,
  readList,
  readNumber,
  readObject,
  readOneOf,
  readText,
  requireName,
} from './read-field.ts'
import { readInput } from './read-input.ts'
import { readTools } from './read-tools.ts'

const EFFORTS: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']
const LOGPROBS = 'message.output_text.logprobs'
/** What lives on the vendor's servers, and is therefore not in the request. */
const STORED = ['previous_response_id', 'conversation', 'prompt'] as const

/**
 * Lost on the way to another dialect, because they mean nothing to another vendor or an answer is right without them:
 * `store`, `metadata`, `truncation`, `stream_options`, `context_management`, `max_tool_calls`, `access_programs`,
 * how images are packed, how deeply and by how many agents is thought (`reasoning.mode`, `multi_agent`), how long its
 * cache is kept, and of what to `include` all but logprobs and sealed thoughts. Not lost is that an answer be judged,
 * or that there be none.
 */
export function readRequest(
  given: JsonObject,
  path: { readonly model?: string; readonly stream?: boolean },
): NeutralRequest {
  refuseUnsupported(given)
  const body = withUpdates(given)
  const text = readObject(body.text, 'text')
  return {
    model: path.model ?? requireName(body.model, 'model'),
    stream: path.stream ?? readFlag(body.stream, 'stream') ?? false,
    ...readInput(body.input, readText(body.instructions, 'instructions')),
    ...readTools(body),
    parallelTools: readFlag(body.parallel_tool_calls, 'parallel_tool_calls'),
    temperature: readNumber(body.temperature, 'temperature', 0, 2),
    topP: readNumber(body.top_p, 'top_p', 0, 1),
    maxOutput: readCount(body.max_output_tokens, 'max_output_tokens'),
    logprobs: readLogprobsWish(body),
    reasoning: readReasoningWish(readObject(body.reasoning, 'reasoning')),
    format: readFormat(readObject(text?.format, 'text.format')),
    verbosity: readText(text?.verbosity, 'text.verbosity'),
    user: readText(body.safety_identifier, 'safety_identifier') ?? readText(body.user, 'user'),
    serviceTier: readText(body.service_tier, 'service_tier'),
    cacheKey: readText(body.prompt_cache_key, 'prompt_cache_key'),
  }
}

/** Settings may be changed in the midst of the conversation: the last word on each is for what comes now. */
function withUpdates(body: JsonObject): JsonObject {
  if (!Array.isArray(body.input)) return body
  const { input, ...updated } = body
  for (const item of input) {
    if (!isObject(item) || item.type !== 'configuration_update') continue
    if (isObject(item.reasoning)) updated.reasoning = { ...asObject(updated.reasoning), ...item.reasoning }
    if (isObject(item.text)) updated.text = { ...asObject(updated.text), ...item.text }
  }
  return { ...updated, input }
}

function refuseUnsupported(body: JsonObject): void {
  for (const field of STORED) if (isGiven(body[field])) refuseNamed(field)
  if (readFlag(body.background, 'background')) refuseNamed('background')
  if (isGiven(body.moderation)) refuseNamed('moderation')
  if (body.generate === false) refuseNamed('generate', false)
  if (readObject(body.prompt_cache_options, 'prompt_cache_options')?.prewarm === true)
    refuseNamed('prompt_cache_options.prewarm')
}

function readLogprobsWish(body: JsonObject): number | undefined {
  const others = body.top_logprobs === 0 ? 0 : (readCount(body.top_logprobs, 'top_logprobs') ?? 0)
  return others > 0 || readList(body.include, 'include').includes(LOGPROBS) ? others : undefined
}

function isGiven(value: Json | undefined): boolean {
  return value !== undefined && value !== null
}

function readReasoningWish(reasoning: JsonObject | undefined): Reasoning | undefined {
  if (!reasoning) return undefined
  const summary =
    readText(reasoning.summary, 'reasoning.summary') ??
    readText(reasoning.generate_summary, 'reasoning.generate_summary')
  return {
    effort: readOneOf(reasoning.effort, 'reasoning.effort', EFFORTS),
    visible: summary !== undefined,
  }
}

function readFormat(format: JsonObject | undefined): Format | undefined {
  if (!format || format.type === 'text') return undefined
  if (format.type === 'json_object') return { type: 'json' }
  if (format.type !== 'json_schema') refuseChoice('text.format.type', ['text', 'json_object', 'json_schema'])
  const schema = readObject(format.schema, 'text.format.schema')
  if (!schema) refuseField('text.format.schema', 'field.required')
  return {
    type: 'schema',
    name: requireName(format.name, 'text.format.name'),
    schema,
    strict: readFlag(format.strict, 'text.format.strict'),
    description: readText(format.description, 'text.format.description'),
  }
}
