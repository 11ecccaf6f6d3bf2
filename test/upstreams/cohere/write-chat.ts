import type { JsonObject } from '../../../server/dialects/json.ts'
import { composeReply, cutPieces, type Reply } from '../reply.ts'
import type { Answer } from '../script.ts'
import { countTally } from '../tally.ts'
import type { Call, Rendered } from '../upstream.ts'
import { editUsage, namedFrame } from '../write-frames.ts'
import { readCohereTurn } from './check-chat.ts'

const ID = 'c14c80c3-18eb-4519-9460-6c92edd8cfb4'
const FINISHES = { stop: 'COMPLETE', length: 'MAX_TOKENS', tools: 'TOOL_CALL', filter: 'ERROR' } as const
/** Its template, which it counts and does not charge. */
const TEMPLATE = 495

export function answerChat(call: Call, answer: Answer): Rendered {
  const turn = readCohereTurn(call.body)
  const reply: Reply = { ...composeReply(turn), ...answer.reply }
  // How much was cached or thought it does not tell of what it charges.
  const tally = { ...countTally(turn, reply), cached: 0, reasoning: 0 }
  const { input, output } = tally
  const usage = editUsage(
    {
      billed_units: { input_tokens: input, output_tokens: output },
      tokens: { input_tokens: input + TEMPLATE, output_tokens: output + 3 },
      cached_tokens: 448,
    },
    answer,
  )
  const finish_reason = reply.stoppedAt === undefined ? FINISHES[reply.finish] : 'STOP_SEQUENCE'
  const end: JsonObject = { finish_reason, ...(usage !== undefined && { usage }) }
  const calls = reply.calls.map(({ name, input: given }) => ({
    id: call.newId(`${name}_`, 8),
    type: 'function',
    function: { name, arguments: JSON.stringify(given) },
  }))
  if (!turn.stream) {
    const message = { role: 'assistant', ...contentOf(reply), ...(calls.length > 0 && { tool_calls: calls }) }
    const body = JSON.stringify({ id: ID, message, ...end })
    return { contentType: 'application/json', body, tally }
  }
  const texts = writeContent(reply, answer)
  return {
    contentType: 'text/event-stream; charset=utf-8',
    frames: [
      namedFrame({ id: ID, type: 'message-start', delta: { message: { role: 'assistant', content: [] } } }),
      ...texts,
      ...calls.flatMap((one, index) => writeCall(one, index)),
      namedFrame({ type: 'message-end', delta: end }),
      'data: [DONE]\n\n',
    ],
    moreText: texts[1] ?? '',
    errorFrame: namedFrame({ type: 'message-end', delta: { finish_reason: 'ERROR', error: 'it broke' } }),
    tally,
  }
}

function contentOf({ thinking, text }: Reply): JsonObject {
  const content = [
    ...(thinking === '' ? [] : [{ type: 'thinking', thinking }]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
  ]
  return content.length > 0 ? { content } : {}
}

function writeContent({ thinking, text }: Reply, { pieceChars }: Answer): string[] {
  let index = -1
  return (['thinking', 'text'] as const).flatMap(type => {
    const pieces = cutPieces(type === 'text' ? text : thinking, pieceChars)
    if (pieces.length === 0) return []
    index++
    const say = (event: string, content: JsonObject): string =>
      namedFrame({ type: event, index, delta: { message: { content } } })
    return [
      say('content-start', { type, [type]: '' }),
      ...pieces.map(piece => say('content-delta', { [type]: piece })),
      namedFrame({ type: 'content-end', index }),
    ]
  })
}

function writeCall(
  call: { id: string; function: { name: string; arguments: string } },
  index: number,
): string[] {
  const { arguments: json, name } = call.function
  const say = (type: string, tool_calls: JsonObject): string =>
    namedFrame({ type, index, delta: { message: { tool_calls } } })
  return [
    say('tool-call-start', { id: call.id, type: 'function', function: { name, arguments: '' } }),
    ...cutPieces(json, 5).map(piece => say('tool-call-delta', { function: { arguments: piece } })),
    namedFrame({ type: 'tool-call-end', index }),
  ]
}
