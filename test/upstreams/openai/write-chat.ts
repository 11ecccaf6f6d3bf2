import { asObject, type Json, type JsonObject } from '../../../server/dialects/json.ts'
import { composeReply, cutPieces, type Reply, type Turn } from '../reply.ts'
import type { Answer } from '../script.ts'
import { countTally, type Tally } from '../tally.ts'
import { tellLogprobs } from '../tell-logprobs.ts'
import type { Call, Rendered } from '../upstream.ts'
import { CREATED, dataFrame, editUsage } from '../write-frames.ts'

/** Where the vendors that speak chat differ. */
export interface ChatStyle {
  readonly idPrefix: string
  newCallId(call: Call): string
  usage(tally: Tally): JsonObject
  /** What of a request it counts at all; everything when absent. */
  tally?(tally: Tally): Tally
  /** Usage on the finish chunk, on every one as far as it is, or in one of its own when asked for. */
  readonly usageIn: 'own-chunk' | 'finish-chunk' | 'every-chunk'
  /** Thinking beside the text, as parts of it, or kept back. */
  readonly thinking: 'hidden' | 'reasoning_content' | 'reasoning' | 'parts'
  /** Its word for an answer that just ended, where that is not `stop`. */
  stopWord?(turn: Turn): string | undefined
  /** More on every answer, chunk and choice. */
  readonly extra?: JsonObject
  readonly choiceExtra?: JsonObject
  /** More on a plain message and on the first delta; on chunks; what the last delta holds. */
  readonly messageExtra?: JsonObject
  readonly startExtra?: JsonObject
  readonly chunkExtra?: JsonObject
  readonly lastDelta?: JsonObject
  /** More on the finish chunk. */
  finishExtra?(usage: Json | undefined): JsonObject
  /** Whether chunks before the usage say that there is none yet. */
  readonly saysNoUsage: boolean
  /** Frames before the first. */
  readonly preface?: (base: JsonObject) => string[]
  readonly errorFrame: string
}

const FINISH = { stop: 'stop', length: 'length', tools: 'tool_calls', filter: 'content_filter' }

export function writeChat(call: Call, turn: Turn, style: ChatStyle, answer: Answer): Rendered {
  const reply: Reply = { ...composeReply(turn), ...answer.reply }
  const counted = countTally(turn, reply)
  const tally = style.tally?.(counted) ?? counted
  const usage = editUsage(style.usage(tally), answer)
  return turn.stream
    ? writeStream(call, turn, style, reply, tally, usage, answer)
    : writePlain(call, turn, style, reply, tally, usage)
}

function finishOf(turn: Turn, style: ChatStyle, { finish }: Reply): string {
  return (finish === 'stop' && style.stopWord?.(turn)) || FINISH[finish]
}

function callsOf(call: Call, style: ChatStyle, reply: Reply): JsonObject[] {
  return reply.calls.map(one => ({
    id: style.newCallId(call),
    type: 'function',
    function: { name: one.name, arguments: JSON.stringify(one.input) },
  }))
}

function writePlain(
  call: Call,
  turn: Turn,
  style: ChatStyle,
  reply: Reply,
  tally: Tally,
  usage: Json | undefined,
): Rendered {
  const choices = Array.from({ length: turn.count }, (_, index) => ({
    index,
    message: writeMessage(call, style, reply),
    finish_reason: finishOf(turn, style, reply),
    ...style.choiceExtra,
    ...likely(call, cutPieces(reply.text, undefined)),
  }))
  const body: JsonObject = {
    id: call.newId(style.idPrefix, 24),
    object: 'chat.completion',
    created: CREATED,
    model: turn.model,
    choices,
    ...(usage === undefined ? {} : { usage }),
    ...style.extra,
  }
  return { contentType: 'application/json', body: JSON.stringify(body), tally }
}

function writeMessage(call: Call, style: ChatStyle, reply: Reply): JsonObject {
  const calls = callsOf(call, style, reply)
  const thinking: JsonObject =
    reply.thinking !== '' && (style.thinking === 'reasoning_content' || style.thinking === 'reasoning')
      ? { [style.thinking]: reply.thinking }
      : {}
  const text = reply.text === '' && calls.length > 0 ? null : reply.text
  const content: Json =
    style.thinking === 'parts' && reply.thinking !== ''
      ? [thinkingPart(reply.thinking), { type: 'text', text: reply.text }]
      : text
  return {
    role: 'assistant',
    content,
    ...thinking,
    ...style.messageExtra,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
}

function thinkingPart(text: string): JsonObject {
  return { type: 'thinking', thinking: [{ type: 'text', text }] }
}

function writeStream(
  call: Call,
  turn: Turn,
  style: ChatStyle,
  reply: Reply,
  tally: Tally,
  usage: Json | undefined,
  answer: Answer,
): Rendered {
  const options = asObject(call.body.stream_options)
  const asked = options?.include_usage === true
  const base = {
    id: call.newId(style.idPrefix, 24),
    object: 'chat.completion.chunk',
    created: CREATED,
    model: turn.model,
    ...style.extra,
  }
  const tells = style.usageIn !== 'own-chunk' || asked
  const pending: JsonObject = {
    ...(tells && style.saysNoUsage ? { usage: null } : {}),
    ...(options?.include_obfuscation === false ? {} : style.chunkExtra),
  }
  const frames = style.preface?.(base) ?? []
  let moreText: string | undefined
  for (let index = 0; index < turn.count; index++) {
    const push = (delta: JsonObject, more: JsonObject = {}): string => {
      const choice = { index, delta, finish_reason: null, ...style.choiceExtra, ...more }
      const soFar = { ...tally, output: Math.min(frames.length, tally.output), reasoning: 0 }
      const told = style.usageIn === 'every-chunk' ? editUsage(style.usage(soFar), answer) : undefined
      const usage: JsonObject = told === undefined ? {} : { usage: told }
      const frame = dataFrame({ ...base, choices: [choice], ...pending, ...usage })
      frames.push(frame)
      return frame
    }
    push({ role: 'assistant', content: '', ...style.startExtra })
    if (style.thinking !== 'hidden') pushThinking(style, reply, answer, push)
    for (const piece of cutPieces(reply.text, answer.pieceChars)) {
      const frame = push({ content: piece }, likely(call, [piece]))
      moreText ??= frame
    }
    pushCalls(callsOf(call, style, reply), push)
    const choice = {
      index,
      delta: style.lastDelta ?? {},
      finish_reason: finishOf(turn, style, reply),
      ...style.choiceExtra,
    }
    const told: JsonObject = style.usageIn !== 'own-chunk' && usage !== undefined ? { usage } : {}
    const more = style.finishExtra?.(usage)
    frames.push(dataFrame({ ...base, choices: [choice], ...pending, ...told, ...more }))
  }
  if (style.usageIn === 'own-chunk' && asked && usage !== undefined)
    frames.push(dataFrame({ ...base, choices: [], usage }))
  frames.push('data: [DONE]\n\n')
  return {
    contentType: 'text/event-stream; charset=utf-8',
    frames,
    moreText,
    errorFrame: style.errorFrame,
    tally,
  }
}

/** How likely each piece was, when asked for. */
function likely({ body }: Call, pieces: readonly string[]): JsonObject {
  if (body.logprobs !== true) return {}
  const others = typeof body.top_logprobs === 'number' ? body.top_logprobs : 0
  return { logprobs: { content: tellLogprobs(pieces, others), refusal: null } }
}

type Push = (delta: JsonObject) => string

function pushThinking(style: ChatStyle, reply: Reply, answer: Answer, push: Push): void {
  for (const piece of cutPieces(reply.thinking, answer.pieceChars)) {
    if (style.thinking === 'parts') push({ content: [thinkingPart(piece)] })
    else push({ content: null, [style.thinking]: piece })
  }
}

/** Arguments come in two halves, as little as they are. */
function pushCalls(calls: readonly JsonObject[], push: Push): void {
  for (const [index, one] of calls.entries()) {
    const fn = asObject(one.function)
    const json = String(fn?.arguments)
    push({ tool_calls: [{ index, ...one, function: { name: fn?.name, arguments: '' } }] })
    const half = Math.ceil(json.length / 2)
    for (const piece of [json.slice(0, half), json.slice(half)])
      push({ tool_calls: [{ index, function: { arguments: piece } }] })
  }
}
