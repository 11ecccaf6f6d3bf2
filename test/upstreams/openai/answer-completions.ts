import { asArray, asNumber, asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { composeReply, cutPieces, EMPTY_TURN, type Turn } from '../reply.ts'
import type { Answer } from '../script.ts'
import { fields } from '../shape.ts'
import { countTally } from '../tally.ts'
import type { Call, Rendered } from '../upstream.ts'
import { CREATED, dataFrame, editUsage } from '../write-frames.ts'
import { chatUsage, STREAM_ERROR } from './chat-style.ts'
import { checkModel, checkTypes } from './check-fields.ts'
import { refuseOpenai } from './fail.ts'

const TOP =
  fields(`model prompt best_of echo frequency_penalty logit_bias logprobs max_tokens n presence_penalty
  seed stop stream stream_options suffix temperature top_p user`)

export function checkCompletions(call: Call): void {
  const unknown = Object.keys(call.body).find(name => !(name in TOP))
  if (unknown !== undefined) refuseOpenai(`Unrecognized request argument supplied: ${unknown}`)
  checkModel(call)
  if (call.body.prompt === undefined) refuseOpenai('you must provide a prompt parameter', 'prompt')
  checkTypes(call.body, { prompt: ['string', 'array'], stream: 'boolean', max_tokens: 'integer' })
}

export function readCompletionTurn(body: JsonObject): Turn {
  const prompt = typeof body.prompt === 'string' ? body.prompt : asArray(body.prompt).join('')
  const text = prompt + (asText(body.suffix) ?? '')
  return {
    ...EMPTY_TURN,
    model: asText(body.model) ?? '',
    stream: body.stream === true,
    text,
    lastText: prompt,
    maxTokens: asNumber(body.max_tokens) ?? 16,
    stop: typeof body.stop === 'string' ? [body.stop] : [],
  }
}

export function answerCompletions(call: Call, answer: Answer): Rendered {
  const turn = readCompletionTurn(call.body)
  const reply = { ...composeReply(turn), ...answer.reply }
  const tally = countTally(turn, reply)
  const usage = editUsage(chatUsage(tally), answer)
  const base = {
    id: call.newId('cmpl-', 24),
    object: 'text_completion',
    created: CREATED,
    model: turn.model,
  }
  const choice = (text: string, finish_reason: string | null) => ({
    index: 0,
    text,
    logprobs: null,
    finish_reason,
  })
  if (!turn.stream) {
    const body = { ...base, choices: [choice(reply.text, reply.finish)], usage }
    return { contentType: 'application/json', body: JSON.stringify(body), tally }
  }
  const asked = asObject(call.body.stream_options)?.include_usage === true
  const pieces = cutPieces(reply.text, answer.pieceChars)
  const frames = pieces.map(text => dataFrame({ ...base, choices: [choice(text, null)] }))
  const [moreText] = frames
  frames.push(dataFrame({ ...base, choices: [choice('', reply.finish)] }))
  if (asked && usage !== undefined) frames.push(dataFrame({ ...base, choices: [], usage }))
  frames.push('data: [DONE]\n\n')
  return {
    contentType: 'text/event-stream; charset=utf-8',
    frames,
    moreText,
    errorFrame: STREAM_ERROR,
    tally,
  }
}
