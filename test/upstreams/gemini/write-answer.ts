import { asObject, type Json, type JsonObject } from '../../../server/dialects/json.ts'
import { composeReply, countTokens, cutPieces, type Reply, type Turn } from '../reply.ts'
import type { Answer } from '../script.ts'
import { countTally, type Tally } from '../tally.ts'
import { logprobOf } from '../tell-logprobs.ts'
import type { Call, Rendered } from '../upstream.ts'
import { dataFrame, editUsage } from '../write-frames.ts'
import { camelNames } from './camel-names.ts'
import { signedText } from './check-contents.ts'
import { versionOf } from './check-thinking.ts'
import { failGemini } from './fail.ts'

const FINISH = { stop: 'STOP', length: 'MAX_TOKENS', tools: 'STOP', filter: 'SAFETY' }

export function geminiUsage(tally: Tally): JsonObject {
  return {
    promptTokenCount: tally.input,
    candidatesTokenCount: tally.output - tally.reasoning,
    totalTokenCount: tally.input + tally.output,
    ...(tally.cached > 0 ? { cachedContentTokenCount: tally.cached } : {}),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: tally.input }],
    ...(tally.reasoning > 0 ? { thoughtsTokenCount: tally.reasoning } : {}),
  }
}

export function writeGemini(call: Call, turn: Turn, answer: Answer): Rendered {
  const reply: Reply = { ...composeReply(turn), ...answer.reply }
  const tally = countTally(turn, reply)
  const base = { modelVersion: turn.model, responseId: call.newId('r', 20) }
  const type = 'application/json; charset=UTF-8'
  if (!turn.stream) {
    const parts = [...thoughtParts(call, reply, undefined), ...spokenParts(call, turn, reply, undefined)]
    const candidates = Array.from({ length: turn.count }, (_, index) =>
      candidate(parts, FINISH[reply.finish], index, likely(call, cutPieces(reply.text, undefined))),
    )
    const usage = editUsage(geminiUsage(tally), answer)
    const body = { candidates, ...usageField(usage), ...base }
    return { contentType: type, body: JSON.stringify(answer.whole?.(body) ?? body, null, 2), tally }
  }
  const responses = writeResponses(call, turn, reply, tally, base, answer)
  const sse = call.seen.query.alt === 'sse'
  const frames = responses.map((one, at) => (sse ? dataFrame(one) : arrayPiece(one, at, responses.length)))
  const firstText = responses.findIndex(one => JSON.stringify(one).includes('{"text":'))
  const error = failGemini('overloaded').body
  return {
    contentType: sse ? 'text/event-stream' : type,
    frames,
    moreText: frames[firstText],
    errorFrame: sse ? dataFrame(error) : `,\r\n${JSON.stringify(error, null, 2)}]`,
    tally,
  }
}

function usageField(usage: Json | undefined): JsonObject {
  return usage === undefined ? {} : { usageMetadata: usage }
}

function candidate(
  parts: JsonObject[],
  finishReason: string | undefined,
  index: number,
  more: JsonObject = {},
): JsonObject {
  return {
    content: { parts, role: 'model' },
    ...(finishReason === undefined ? {} : { finishReason }),
    index,
    ...more,
  }
}

/** How likely each piece was, when asked for. */
function likely(call: Call, pieces: readonly string[]): JsonObject {
  const config = asObject(camelNames(call.body).generationConfig) ?? {}
  if (config.responseLogprobs !== true) return {}
  const others = typeof config.logprobs === 'number' ? config.logprobs : 0
  const tell = (token: string): JsonObject => ({ token, tokenId: 1, logProbability: logprobOf(token) })
  const topCandidates = pieces.map(piece => ({
    candidates: Array.from({ length: others }, (_, at) => tell(at === 0 ? piece : `${piece}${at}`)),
  }))
  return {
    logprobsResult: {
      chosenCandidates: pieces.map(tell),
      ...(others > 0 ? { topCandidates } : {}),
    },
  }
}

/** Without `alt=sse` the stream is one JSON array, sent element by element. */
function arrayPiece(response: JsonObject, at: number, total: number): string {
  const start = at === 0 ? '[' : ',\r\n'
  return `${start}${JSON.stringify(response, null, 2)}${at === total - 1 ? ']' : ''}`
}

function thoughtParts(
  call: Call,
  reply: Reply,
  pieceChars: number | undefined,
  stream = false,
): JsonObject[] {
  const config = asObject(asObject(camelNames(call.body).generationConfig)?.thinkingConfig)
  if (config?.includeThoughts !== true || reply.thinking === '') return []
  const pieces = stream ? cutPieces(reply.thinking, pieceChars) : [reply.thinking]
  return pieces.map(text => ({ text, thought: true }))
}

/** Text in pieces when streamed; of several calls only the first is signed. */
function spokenParts(
  call: Call,
  turn: Turn,
  reply: Reply,
  pieceChars: number | undefined,
  stream = false,
): JsonObject[] {
  const parts: JsonObject[] = []
  if (reply.text !== '') {
    const pieces = stream ? cutPieces(reply.text, pieceChars) : [reply.text]
    const signs = !stream && turn.think && reply.calls.length === 0
    const signature = signs ? { thoughtSignature: call.signatures.issue(turn.model, 'text') } : {}
    parts.push(...pieces.map(text => ({ text, ...signature })))
  }
  for (const [index, one] of reply.calls.entries()) {
    const part: JsonObject = { functionCall: { name: one.name, args: one.input } }
    const signs = index === 0 && (versionOf(turn.model) >= 3 || turn.think)
    parts.push(
      signs ? { ...part, thoughtSignature: call.signatures.issue(turn.model, signedText(part)) } : part,
    )
  }
  return parts
}

/** Each is a whole response with what is new; usage adds up, the last one says why it ended. */
function writeResponses(
  call: Call,
  turn: Turn,
  reply: Reply,
  tally: Tally,
  base: JsonObject,
  answer: Answer,
): JsonObject[] {
  const parts = [
    ...thoughtParts(call, reply, answer.pieceChars, true),
    ...spokenParts(call, turn, reply, answer.pieceChars, true),
  ]
  let said = 0
  const responses = parts.flatMap(part => {
    said += part.thought === true ? 0 : countTokens(String(part.text ?? ''))
    const soFar = { ...tally, output: Math.min(tally.output, tally.reasoning + said) }
    const usage = editUsage(geminiUsage(soFar), answer)
    const more = typeof part.text === 'string' && part.thought !== true ? likely(call, [part.text]) : {}
    // One after the other, as they are ready.
    return Array.from({ length: turn.count }, (_, index) => ({
      candidates: [candidate([part], undefined, index, more)],
      ...usageField(usage),
      ...base,
    }))
  })
  const signed = turn.think && reply.calls.length === 0
  const end: JsonObject = signed
    ? { text: '', thoughtSignature: call.signatures.issue(turn.model, 'text') }
    : { text: '' }
  const usage = editUsage(geminiUsage(tally), answer)
  for (let index = 0; index < turn.count; index++)
    responses.push({
      candidates: [candidate([end], FINISH[reply.finish], index)],
      ...usageField(usage),
      ...base,
    })
  return responses
}
