import type { JsonObject } from '../../../server/dialects/json.ts'
import { composeReply, cutPieces, type Reply } from '../reply.ts'
import type { Answer } from '../script.ts'
import { countTally, type Tally } from '../tally.ts'
import type { Call, Rendered } from '../upstream.ts'
import { editUsage } from '../write-frames.ts'
import { isMultimodalPath, readNativeTurn } from './check-native.ts'
import { failNative } from './fail.ts'

const REQUEST = 'b3d5d9a2-6a0f-9b7e-8c1d-2e3f4a5b6c7d'
const FINISH = { stop: 'stop', length: 'length', tools: 'tool_calls', filter: 'stop' }

/** Answers as the vendor's own API does. */
export function answerNative(call: Call, answer: Answer): Rendered {
  const turn = readNativeTurn(call)
  const reply: Reply = { ...composeReply(turn), ...answer.reply }
  const tally = countTally(turn, reply)
  const saying = isMultimodalPath(call) ? (text: string) => [{ text }] : (text: string) => text
  const calls = reply.calls.map(({ name, input }, index) => ({
    index,
    id: call.newId('call_', 24),
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  const body = (message: JsonObject, finish: string, usage: JsonObject): JsonObject => ({
    output: { choices: [{ finish_reason: finish, message: { role: 'assistant', ...message } }] },
    ...usage,
    request_id: REQUEST,
  })
  const told = (part: number): JsonObject => {
    const usage = editUsage(writeUsage(tally, part), answer)
    return usage === undefined ? {} : { usage }
  }
  if (!turn.stream) {
    const message: JsonObject = { content: saying(reply.text) }
    if (reply.thinking !== '') message.reasoning_content = reply.thinking
    if (calls.length > 0) message.tool_calls = calls
    const text = JSON.stringify(body(message, FINISH[reply.finish], told(1)))
    return { contentType: 'application/json', body: text, tally }
  }
  const messages: JsonObject[] = [
    ...cutPieces(reply.thinking, answer.pieceChars).map(piece => ({
      content: saying(''),
      reasoning_content: piece,
    })),
    ...cutPieces(reply.text, answer.pieceChars).map(piece => ({ content: saying(piece) })),
    ...calls.flatMap(cutCall).map(one => ({ content: saying(''), tool_calls: [one] })),
  ]
  const frames = messages.map((message, at) =>
    frame(at + 1, body(message, 'null', told(at / messages.length))),
  )
  return {
    contentType: 'text/event-stream;charset=UTF-8',
    frames: [
      ...frames,
      frame(frames.length + 1, body({ content: saying('') }, FINISH[reply.finish], told(1))),
    ],
    moreText: frames[0] ?? '',
    errorFrame: `id:9\nevent:error\n:HTTP_STATUS/500\ndata:${JSON.stringify(failNative('server-error').body)}\n\n`,
    tally,
  }
}

function frame(id: number, body: JsonObject): string {
  return `id:${id}\nevent:result\n:HTTP_STATUS/200\ndata:${JSON.stringify(body)}\n\n`
}

/** What was used so far; all of it at the end. */
function writeUsage(tally: Tally, part: number): JsonObject {
  const output_tokens = Math.ceil(tally.output * part)
  return {
    input_tokens: tally.input,
    output_tokens,
    total_tokens: tally.input + output_tokens,
    prompt_tokens_details: { cached_tokens: tally.cached },
    output_tokens_details: { reasoning_tokens: Math.min(output_tokens, tally.reasoning) },
  }
}

type CallOut = { index: number; id: string; type: string; function: { name: string; arguments: string } }

/** The name first, then the arguments in halves, with an id that is empty. */
function cutCall(call: CallOut): JsonObject[] {
  const { index, type } = call
  const json = call.function.arguments
  const half = Math.ceil(json.length / 2)
  return [
    { ...call, function: { name: call.function.name, arguments: '' } },
    ...[json.slice(0, half), json.slice(half)].map(piece => ({
      index,
      type,
      id: '',
      function: { arguments: piece },
    })),
  ]
}
