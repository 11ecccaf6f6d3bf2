import { asObject, type Json, type JsonObject } from '../../../server/dialects/json.ts'
import { composeReply, cutPieces, type Reply, type Turn } from '../reply.ts'
import type { Answer } from '../script.ts'
import { countTally, type Tally } from '../tally.ts'
import type { Call, Rendered } from '../upstream.ts'
import { editUsage, namedFrame } from '../write-frames.ts'
import { failAnthropic } from './fail.ts'
import { rulesOf } from './model-rules.ts'
import { keepInThread } from './threads.ts'

const FINISH = { stop: 'end_turn', length: 'max_tokens', tools: 'tool_use', filter: 'refusal' }

const SILENCE = { text: '', thinking: '', calls: [], finish: 'length' } as const

function anthropicUsage(tally: Tally): JsonObject {
  return {
    input_tokens: tally.input - tally.cached - tally.written - tally.writtenHour,
    cache_creation_input_tokens: tally.written + tally.writtenHour,
    cache_read_input_tokens: tally.cached,
    cache_creation: {
      ephemeral_5m_input_tokens: tally.written,
      ephemeral_1h_input_tokens: tally.writtenHour,
    },
    output_tokens: tally.output,
    output_tokens_details: { thinking_tokens: tally.reasoning },
    service_tier: 'standard',
  }
}

export function writeAnthropic(call: Call, turn: Turn, answer: Answer): Rendered {
  // Nought fills the cache, and asks for no answer.
  const isSilent = call.body.max_tokens === 0
  const reply: Reply = { ...composeReply(turn), ...(isSilent && SILENCE), ...answer.reply }
  const tally = { ...countTally(turn, reply), ...(isSilent && { output: 0 }) }
  const usage = editUsage(anthropicUsage(tally), answer)
  const blocks = writeBlocks(call, turn, reply)
  const id = call.newId('msg_01', 22)
  keepInThread(call, id)
  const own: JsonObject = {
    model: turn.model,
    id,
    type: 'message',
    role: 'assistant',
    content: blocks,
    stop_reason: reply.stoppedAt === undefined ? FINISH[reply.finish] : 'stop_sequence',
    stop_sequence: reply.stoppedAt ?? null,
    ...(reply.finish === 'filter'
      ? { stop_details: { type: 'refusal', category: 'cyber', explanation: null } }
      : {}),
    ...(usage === undefined ? {} : { usage }),
  }
  const message = answer.whole?.(own) ?? own
  const headers = { 'request-id': 'req_011CSHoEeqs5C35K2UUqR7Fy' }
  if (!turn.stream) return { contentType: 'application/json', headers, body: JSON.stringify(message), tally }
  const { frames, moreText } = writeFrames(message, blocks, usage, answer)
  return {
    contentType: 'text/event-stream; charset=utf-8',
    headers,
    frames,
    moreText,
    errorFrame: namedFrame(failAnthropic('overloaded').body),
    tally,
  }
}

/** The newest models keep their thoughts to themselves unless asked to show them. */
function showsThoughts(call: Call, turn: Turn): boolean {
  const display = asObject(call.body.thinking)?.display
  return display === undefined ? !rulesOf(turn.model).boundThoughts : display !== 'omitted'
}

function writeBlocks(call: Call, turn: Turn, reply: Reply): JsonObject[] {
  const blocks: JsonObject[] = []
  if (reply.redacted)
    blocks.push({ type: 'redacted_thinking', data: call.signatures.issue(turn.model, 'redacted') })
  else if (reply.thinking !== '') {
    const thinking = showsThoughts(call, turn) ? reply.thinking : ''
    blocks.push({ type: 'thinking', thinking, signature: call.signatures.issue(turn.model, thinking) })
  }
  if (reply.text !== '') blocks.push({ type: 'text', text: reply.text })
  for (const one of reply.calls)
    blocks.push({ type: 'tool_use', id: call.newId('toolu_01', 22), name: one.name, input: one.input })
  return blocks
}

function writeFrames(
  message: JsonObject,
  blocks: readonly JsonObject[],
  usage: Json | undefined,
  answer: Answer,
): { frames: string[]; moreText: string | undefined } {
  // Which container code ran in is told at the end.
  const { stop_reason, stop_sequence, stop_details, container, ...opening } = message
  const { output_tokens_details: _, ...known } = asObject(usage) ?? {}
  const early = asObject(usage) === undefined ? usage : { ...known, output_tokens: earlyOutput(known) }
  const start = { ...opening, content: [], stop_reason: null, stop_sequence: null, usage: early }
  const frames = [namedFrame({ type: 'message_start', message: start })]
  let moreText: string | undefined
  for (const [index, block] of blocks.entries()) {
    frames.push(namedFrame({ type: 'content_block_start', index, content_block: startOf(block) }))
    if (index === 0) frames.push(namedFrame({ type: 'ping' }))
    for (const delta of deltasOf(block, answer)) {
      const frame = namedFrame({ type: 'content_block_delta', index, delta })
      if (delta.type === 'text_delta') moreText ??= frame
      frames.push(frame)
    }
    frames.push(namedFrame({ type: 'content_block_stop', index }))
  }
  const details = stop_details === undefined ? {} : { stop_details }
  frames.push(
    namedFrame({
      type: 'message_delta',
      delta: { stop_reason, stop_sequence, ...details, ...(container === undefined ? {} : { container }) },
      ...(usage === undefined ? {} : { usage }),
    }),
    namedFrame({ type: 'message_stop' }),
  )
  return { frames, moreText }
}

/** At the start one token is out; nonsense that a script put there stays. */
function earlyOutput(usage: JsonObject): Json {
  const { output_tokens: output = null } = usage
  return typeof output === 'number' && output > 0 && output < 1e9 ? 1 : output
}

function startOf(block: JsonObject): JsonObject {
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' }
  if (block.type === 'text') return { type: 'text', text: '' }
  if (block.type === 'redacted_thinking') return block
  return { ...block, input: {} }
}

function deltasOf(block: JsonObject, answer: Answer): JsonObject[] {
  if (block.type === 'thinking')
    return [
      ...cutPieces(String(block.thinking), answer.pieceChars).map(thinking => ({
        type: 'thinking_delta',
        thinking,
      })),
      { type: 'signature_delta', signature: block.signature },
    ]
  if (block.type === 'text')
    return cutPieces(String(block.text), answer.pieceChars).map(text => ({ type: 'text_delta', text }))
  if (block.type === 'redacted_thinking') return []
  return inputPieces(block.input).map(partial_json => ({ type: 'input_json_delta', partial_json }))
}

/** A call without arguments says only an empty string. */
function inputPieces(input: Json | undefined): string[] {
  const json = JSON.stringify(input)
  if (json === '{}') return ['']
  const half = Math.ceil(json.length / 2)
  return ['', json.slice(0, half), json.slice(half)]
}
