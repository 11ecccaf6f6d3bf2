import { asArray, asObject, type Json, type JsonObject } from '../../../server/dialects/json.ts'
import { composeReply, cutPieces, type Reply, type Turn } from '../reply.ts'
import type { Answer } from '../script.ts'
import { countTally, type Tally } from '../tally.ts'
import { tellLogprobs } from '../tell-logprobs.ts'
import type { Call, Rendered } from '../upstream.ts'
import { CREATED, editUsage, namedFrame } from '../write-frames.ts'
import { beginJob } from './background-jobs.ts'
import { runCode } from './containers.ts'
import { goOn } from './conversations.ts'
import { storeResponse } from './stored-responses.ts'
import { writeItemEvents } from './write-item-events.ts'

/** So long a response takes that is made in the background. */
export const MADE_SECONDS = 42

export function responsesUsage(tally: Tally): JsonObject {
  return {
    input_tokens: tally.input,
    input_tokens_details: {
      cached_tokens: tally.cached,
      cache_write_tokens: tally.written + tally.writtenHour,
    },
    output_tokens: tally.output,
    output_tokens_details: { reasoning_tokens: tally.reasoning },
    total_tokens: tally.input + tally.output,
  }
}

export function writeResponses(call: Call, turn: Turn, answer: Answer): Rendered {
  const reply: Reply = { ...composeReply(turn), ...answer.reply }
  const tally = countTally(turn, reply)
  const items = [...runCode(call, turn), ...writeItems(call, turn, reply)]
  const usage = editUsage(responsesUsage(tally), answer)
  const started = startedResponse(call, turn)
  const finished = finishedResponse(started, items, reply, usage)
  const done = goOn(call, answer.whole?.(finished) ?? finished)
  const isJob = call.body.background === true
  const queued = { ...started, status: 'queued' }
  if (call.body.store !== false) storeResponse(call, isJob ? queued : done, items)
  if (isJob && !turn.stream) beginJob(call, answer.job ?? {}, { queued, finished: done, frames: [] })
  if (!turn.stream)
    return { contentType: 'application/json', body: JSON.stringify(isJob ? queued : done), tally }

  const events: JsonObject[] = [
    { type: 'response.created', response: isJob ? queued : started },
    ...(isJob ? [{ type: 'response.queued', response: queued }] : []),
    { type: 'response.in_progress', response: started },
  ]
  for (const [index, item] of items.entries()) events.push(...writeItemEvents(item, index, answer))
  events.push({ type: `response.${done.status}`, response: done })
  const frames = events.map((event, at) => namedFrame(numbered(event, at)))
  if (isJob) beginJob(call, answer.job ?? {}, { queued, finished: done, frames })
  const firstText = events.findIndex(event => event.type === 'response.output_text.delta')
  return {
    contentType: 'text/event-stream; charset=utf-8',
    frames,
    moreText: frames[firstText],
    errorFrame: errorFrame(answer.errorAfterFrames ?? 0, started),
    tally,
  }
}

function numbered(event: JsonObject, at: number): JsonObject {
  const { type, ...rest } = event
  return { type, sequence_number: at, ...rest }
}

function errorFrame(at: number, started: JsonObject): string {
  const message = 'The server had an error while processing your request. Sorry about that!'
  const error = { type: 'server_error', code: 'server_error', message, param: null }
  const failed = { ...started, status: 'failed', error: { code: 'server_error', message } }
  return (
    namedFrame({ type: 'error', error, sequence_number: at }) +
    namedFrame({ type: 'response.failed', sequence_number: at + 1, response: failed })
  )
}

function startedResponse(call: Call, turn: Turn): JsonObject {
  const { body } = call
  return {
    id: call.newId('resp_', 48),
    object: 'response',
    created_at: CREATED,
    status: 'in_progress',
    background: body.background === true,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    model: turn.model,
    output: [],
    parallel_tool_calls: turn.parallel,
    previous_response_id: body.previous_response_id ?? null,
    reasoning: {
      effort: asObject(body.reasoning)?.effort ?? null,
      summary: asObject(body.reasoning)?.summary ?? null,
    },
    service_tier: 'default',
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: body.text ?? { format: { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: body.top_p ?? 1,
    truncation: 'disabled',
    usage: null,
    user: null,
    metadata: body.metadata ?? {},
  }
}

function finishedResponse(
  started: JsonObject,
  output: JsonObject[],
  reply: Reply,
  usage: Json | undefined,
): JsonObject {
  const cut = reply.finish === 'length' || reply.finish === 'filter'
  const reason = reply.finish === 'length' ? 'max_output_tokens' : 'content_filter'
  return {
    ...started,
    status: cut ? 'incomplete' : 'completed',
    incomplete_details: cut ? { reason } : null,
    output,
    usage: usage ?? null,
    ...(started.background === true && { completed_at: CREATED + MADE_SECONDS }),
  }
}

function writeItems(call: Call, turn: Turn, reply: Reply): JsonObject[] {
  const items: JsonObject[] = []
  if (reply.thinking !== '') items.push(writeReasoning(call, turn, reply.thinking))
  if (reply.text !== '' || reply.calls.length === 0)
    items.push({
      id: call.newId('msg_', 48),
      type: 'message',
      status: reply.finish === 'length' ? 'incomplete' : 'completed',
      content: [{ type: 'output_text', annotations: [], logprobs: likely(call, reply), text: reply.text }],
      role: 'assistant',
    })
  for (const one of reply.calls)
    items.push({
      id: call.newId('fc_', 48),
      type: 'function_call',
      status: 'completed',
      arguments: JSON.stringify(one.input),
      call_id: call.newId('call_', 24),
      name: one.name,
    })
  return items
}

/** The vendor shows a summary, and the sealed thoughts to those who keep them. */
function writeReasoning(call: Call, turn: Turn, text: string): JsonObject {
  const wantsSummary = typeof asObject(call.body.reasoning)?.summary === 'string'
  const sealed = asArray(call.body.include).includes('reasoning.encrypted_content')
  return {
    id: call.newId('rs_', 48),
    type: 'reasoning',
    ...(sealed ? { encrypted_content: call.signatures.issue(turn.model, text) } : {}),
    summary: wantsSummary ? [{ type: 'summary_text', text }] : [],
  }
}

/** How likely each word was, when asked for. */
function likely({ body }: Call, { text }: Reply): JsonObject[] {
  if (!asArray(body.include).includes('message.output_text.logprobs')) return []
  return tellLogprobs(
    cutPieces(text, undefined),
    typeof body.top_logprobs === 'number' ? body.top_logprobs : 0,
  )
}
