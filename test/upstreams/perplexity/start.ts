import { asArray, asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { answerModels } from '../openai/answer-plain-tasks.ts'
import { readResponsesTurn } from '../openai/read-responses-turn.ts'
import { tellFailures } from '../openai/start-alike.ts'
import { writeResponses } from '../openai/write-responses.ts'
import type { Answer } from '../script.ts'
import { answerResults } from '../searching/found.ts'
import { fields, findUnknown, type Shape } from '../shape.ts'
import { startUpstream } from '../start-upstream.ts'
import {
  bearerOnly,
  type Call,
  type FakeUpstream,
  Refusal,
  type Rendered,
  type UpstreamOptions,
} from '../upstream.ts'
import { dataFrame } from '../write-frames.ts'
import { failures, tellFailure } from './failures.ts'

const fail = tellFailures(
  { 'bad-request': [400, 'invalid_request', 'invalid request body'], ...failures },
  tellFailure,
)

const ITEMS: Record<string, Shape> = {
  message: { ...fields('type role'), content: [fields('type text image_url')] },
  function_call: fields('type call_id name arguments'),
  function_call_output: fields('type call_id output name'),
}
const TOOLS: Record<string, Shape> = {
  function: fields('type name description parameters strict'),
  web_search: {
    ...fields('type search_context_size max_results'),
    user_location: fields('latitude longitude country region city'),
    filters: fields(`search_domain_filter search_recency_filter search_after_date_filter
      search_before_date_filter last_updated_after_filter last_updated_before_filter`),
  },
}
const BODY: Shape = {
  ...fields(`model models preset stream store temperature top_p max_output_tokens max_steps max_tool_calls
    instructions metadata previous_response_id background truncation tool_choice parallel_tool_calls
    language_preference`),
  input: [item => ({ shape: ITEMS[asText(item.type) ?? 'message'] ?? {} })],
  tools: [tool => ({ shape: TOOLS[asText(tool.type) ?? ''] ?? {} })],
  stream_options: fields('include_usage'),
  reasoning: fields('effort'),
  response_format: { type: true, json_schema: fields('name schema strict description') },
}
const RESERVED = ['web_search', 'search_web', 'people_search', 'fetch_url', 'finance_search', 'sandbox']

function refuse(message: string): never {
  throw new Refusal(message, fail('bad-request', message))
}

/** Any field that it does not know is a 400, wherever it stands. */
function checkAgent({ body, options }: Call): void {
  const unknown = findUnknown(body, BODY)
  if (unknown !== undefined) refuse(`invalid request body: json: unknown field "${String(unknown.at(-1))}"`)
  const model = asText(body.model) ?? ''
  if (
    !model.includes('/') ||
    /^perplexity\/sonar./.test(model) ||
    (options.models && !options.models.includes(model))
  )
    throw new Refusal('there is no such model', fail('no-model'))
  if (body.preset !== undefined && !/^(fast|low|medium|high|xhigh)$/.test(String(body.preset)))
    refuse('invalid preset')
  if (model.startsWith('anthropic/') && body.max_output_tokens === undefined)
    refuse('max_output_tokens is required when using Anthropic models')
  if (asObject(body.response_format) && asObject(body.response_format)?.type !== 'json_schema')
    refuse('response_format.type is not supported')
  if (asArray(body.input).length === 0) refuse('input is required')
  for (const tool of asArray(body.tools))
    if (RESERVED.includes(asText(asObject(tool)?.name) ?? '')) refuse('the name of a function is reserved')
}

function answerAgent(call: Call, answer: Answer): Rendered {
  const { response_format, ...body } = call.body
  const format = asObject(response_format)
  const text = format ? { format: { type: 'json_schema', ...asObject(format.json_schema) } } : undefined
  // It shows nothing of what it thought.
  const turn = { ...readResponsesTurn({ ...body, ...(text && { text }) }), think: false }
  const usage = answer.usage ?? (given => given)
  const told: Answer = { ...answer, usage: usage === 'none' ? 'none' : given => usage(asAgentUsage(given)) }
  const { frames, body: plain, ...rendered } = writeResponses(call, turn, told)
  if (plain !== undefined) return { ...rendered, body: JSON.stringify(addFound(JSON.parse(String(plain)))) }
  return {
    ...rendered,
    // Its events have no names.
    frames: (frames ?? []).map(frame => {
      const data = JSON.parse(frame.slice(frame.indexOf('data: ') + 'data: '.length)) as JsonObject
      return dataFrame(
        data.type === 'response.completed' ? { ...data, response: addFound(data.response) } : data,
      )
    }),
    errorFrame: dataFrame({ type: 'error', error: fail('server-error').body.error }),
  }
}

function asAgentUsage(usage: JsonObject): JsonObject {
  const { input_tokens_details, output_tokens_details: _, ...counts } = usage
  const cached = asObject(input_tokens_details)?.cached_tokens
  return {
    ...counts,
    input_tokens_details: { cache_creation_input_tokens: 0, cache_read_input_tokens: cached },
    cost: { currency: 'USD', total_cost: 0.005 },
  }
}

function addFound(response: unknown): JsonObject {
  const told = asObject(response) ?? {}
  const results = [{ id: 1, url: 'https://example.org/a', title: 'A', snippet: 's', date: '2026-11-01' }]
  return { ...told, output: [{ type: 'search_results', queries: ['q'], results }, ...asArray(told.output)] }
}

const SEARCH =
  fields(`query max_results max_tokens max_tokens_per_page search_domain_filter country search_type
  search_language_filter search_recency_filter search_after_date_filter search_before_date_filter
  last_updated_after_filter last_updated_before_filter`)

/** It knows of no models there. */
function checkSearch({ body, options }: Call): void {
  const unknown = Object.keys(body).find(name => !(name in SEARCH) && !options.accept?.includes(name))
  if (unknown !== undefined) refuse(`invalid request body: json: unknown field "${unknown}"`)
  if (Array.isArray(body.query) && body.query.length > 5) refuse('at most 5 queries')
  if (!body.query) refuse('query is required')
}

export function startPerplexity(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const { key = 'pplx-fake0123456789' } = options
  return startUpstream(
    {
      name: 'Perplexity',
      key,
      keyHeaders: ['authorization'],
      authorize: bearerOnly(fail),
      fail,
      routes: [
        {
          method: 'POST',
          path: /^\/v1\/(responses|agent)$/,
          takes: 'json',
          check: checkAgent,
          answer: answerAgent,
        },
        {
          ...{ method: 'POST', path: /^\/search$/, takes: 'json' },
          check: checkSearch,
          answer: answerResults,
        },
        { method: 'GET', path: /^\/v1\/models$/, takes: 'nothing', answer: answerModels },
      ],
    },
    options,
  )
}
