import { asArray, type JsonObject } from '../../../server/dialects/json.ts'
import { embed } from '../openai/answer-embeddings.ts'
import { composeReply, countTokens, cutPieces, type Reply } from '../reply.ts'
import type { Answer } from '../script.ts'
import { startUpstream } from '../start-upstream.ts'
import { countTally, NO_TALLY, type Tally } from '../tally.ts'
import type { Call, FakeUpstream, Rendered, UpstreamOptions } from '../upstream.ts'
import { dataFrame, editUsage } from '../write-frames.ts'
import { checkChat, readTencentTurn } from './check-chat.ts'
import { checkSignature } from './check-signature.ts'
import { failTencent, refuseTencent } from './fail.ts'

const HEAD = {
  Note: '以上内容为AI生成，不代表开发者立场，请勿删除或修改本标记',
  Created: 1_719_816_830,
  Id: 'cd37cf66-089f-4ab2-8118-e18baa238462',
}
const FINISH = { stop: 'stop', length: 'stop', tools: 'tool_calls', filter: 'sensitive' }

/** The old platform. */
export function startTencent(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const { key = '1250000000|AKIDfakeUpstream0123456789|fakeSecret0123456789' } = options
  const [, secretId = '', secretKey = ''] = key.split('|')
  return startUpstream(
    {
      name: 'Tencent',
      key,
      keyHeaders: ['authorization'],
      authorize: seen => checkSignature(seen, secretId, secretKey),
      fail: failTencent,
      routes: [{ method: 'POST', path: /^\/$/, takes: 'json', check, answer }],
    },
    options,
  )
}

function check(call: Call): void {
  const { 'x-tc-action': action, 'x-tc-version': version } = call.seen.headers
  if (version !== '2023-09-01') refuseTencent('The `version` is not supported', 'not-found')
  if (action === 'ChatCompletions') return checkChat(call)
  if (action !== 'GetEmbedding') refuseTencent(`The request action=\`${action}\` is invalid`, 'not-found')
  if (Object.keys(call.body).join() !== 'InputList' || !Array.isArray(call.body.InputList))
    refuseTencent('InputList is invalid')
}

function answer(call: Call, script: Answer): Rendered {
  return call.seen.headers['x-tc-action'] === 'GetEmbedding'
    ? answerEmbedding(call, script)
    : answerChat(call, script)
}

function answerChat(call: Call, script: Answer): Rendered {
  const turn = readTencentTurn(call.body)
  const reply = { ...composeReply(turn), ...script.reply }
  const tally = { ...countTally(turn, reply), cached: 0, reasoning: 0 }
  const calls = callsOf(call, reply)
  const usage = usageAt(tally, tally.output, script)
  const FinishReason = FINISH[reply.finish]
  if (!turn.stream) {
    const Message = { Role: 'assistant', Content: reply.text, ...(calls.length > 0 && { ToolCalls: calls }) }
    return { ...json({ ...HEAD, RequestId: HEAD.Id, Choices: [{ FinishReason, Message }], ...usage }), tally }
  }
  const frame = (delta: JsonObject, finish: string, at: number): string =>
    dataFrame({
      ...HEAD,
      Choices: [{ FinishReason: finish, Delta: { Role: 'assistant', Content: '', ...delta } }],
      ...usageAt(tally, at, script),
    })
  const texts = cutPieces(reply.text, script.pieceChars).map((Content, at) => frame({ Content }, '', at + 1))
  const called = calls.flatMap(one => cutCall(one).map(piece => frame({ ToolCalls: [piece] }, '', 0)))
  const error = { ...HEAD, Choices: [], ErrorMsg: { Msg: '引擎层内部错误', Code: 2003 } }
  return {
    contentType: 'text/event-stream',
    frames: [...texts, ...called, frame({}, FinishReason, tally.output)],
    moreText: texts[0] ?? '',
    errorFrame: dataFrame(error),
    tally,
  }
}

/** In a stream it is of all so far. */
function usageAt({ input }: Tally, output: number, script: Answer): JsonObject {
  const all = { PromptTokens: input, CompletionTokens: output, TotalTokens: input + output }
  const usage = editUsage(all, script)
  return usage === undefined ? {} : { Usage: usage }
}

interface ToolCall extends JsonObject {
  Id: string
  Type: string
  Function: { Name: string; Arguments: string }
}

function callsOf(call: Call, { calls }: Reply): ToolCall[] {
  return calls.map(({ name, input }) => ({
    Id: call.newId('call_', 20),
    Type: 'function',
    Function: { Name: name, Arguments: JSON.stringify(input) },
  }))
}

function cutCall(call: ToolCall): ToolCall[] {
  const { Name, Arguments } = call.Function
  const half = Math.ceil(Arguments.length / 2)
  return [
    { ...call, Function: { Name, Arguments: '' } },
    { ...call, Function: { Name: '', Arguments: Arguments.slice(0, half) } },
    { ...call, Function: { Name: '', Arguments: Arguments.slice(half) } },
  ]
}

function answerEmbedding({ body }: Call, script: Answer): Rendered {
  const inputs = asArray(body.InputList).map(String)
  const input = inputs.reduce((sum, one) => sum + countTokens(one), 0)
  const Data = inputs.map((one, Index) => ({ Embedding: embed(one, 8), Index, Object: 'embedding' }))
  const Usage = editUsage({ PromptTokens: input, TotalTokens: input }, script)
  return { ...json({ Data, Usage, RequestId: HEAD.Id }), tally: { ...NO_TALLY, input } }
}

function json(response: JsonObject): Rendered {
  return { contentType: 'application/json', body: JSON.stringify({ Response: response }), tally: NO_TALLY }
}
