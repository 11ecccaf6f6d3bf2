import { asArray, asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { failGemini } from '../gemini/fail.ts'
import { composeReply, EMPTY_TURN, type Turn } from '../reply.ts'
import type { Answer } from '../script.ts'
import { fields, findUnknown, type Shape } from '../shape.ts'
import { startUpstream } from '../start-upstream.ts'
import { countTally } from '../tally.ts'
import {
  type Call,
  type FakeUpstream,
  Refusal,
  type Rendered,
  type SeenRequest,
  type UpstreamOptions,
} from '../upstream.ts'

const BODY: Shape = {
  ...fields('temperature candidateCount topP topK'),
  prompt: { context: true, examples: true, messages: [fields('author content')] },
}
const PIECE = 24

/** A server that still speaks what Google has switched off. */
export function startPalm(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const { key = 'AIzaSyUpstreamPalm0123456789' } = options
  return startUpstream(
    {
      name: 'PaLM',
      key,
      keyHeaders: ['x-goog-api-key'],
      authorize,
      fail: failGemini,
      routes: [
        {
          method: 'POST',
          path: /^\/v1beta2\/models\/(?<model>[\w.-]+):generateMessage$/,
          takes: 'json',
          check,
          answer,
        },
      ],
    },
    options,
  )
}

function authorize(seen: SeenRequest, key: string): void {
  if (seen.headers['x-goog-api-key'] !== key) refuse('the key is wrong')
}

function refuse(message: string): never {
  throw new Refusal(message, failGemini('bad-request', message))
}

function check({ body, params }: Call): void {
  const unknown = findUnknown(body, BODY)
  if (unknown !== undefined) refuse(`Invalid JSON payload received. Unknown name "${unknown.join('.')}"`)
  if (params.model !== 'chat-bison-001') refuse(`models/${params.model} is not found`)
  const { temperature = 0 } = body
  if (typeof temperature !== 'number' || temperature < 0 || temperature > 1) refuse('temperature')
  const messages = messagesOf(body)
  if (messages.length % 2 === 0) refuse('Messages must alternate between authors.')
  for (const [at, { author, content }] of messages.entries())
    if (author !== String(at % 2) || !asText(content)) refuse('Messages must alternate between authors.')
}

function messagesOf(body: JsonObject): JsonObject[] {
  return asArray(asObject(body.prompt)?.messages).map(one => asObject(one) ?? {})
}

function readTurn({ body, params }: Call): Turn {
  const texts = messagesOf(body).map(({ content }) => asText(content) ?? '')
  const context = asText(asObject(body.prompt)?.context) ?? ''
  return {
    ...EMPTY_TURN,
    model: params.model ?? '',
    text: context + texts.join(''),
    lastText: texts.at(-1) ?? '',
  }
}

/** Whole, over as many lines as Google writes, and never as a stream. */
function answer(call: Call, script: Answer): Rendered {
  const turn = readTurn(call)
  const reply = { ...composeReply(turn), ...script.reply }
  const messages = messagesOf(call.body)
  const said =
    reply.finish === 'filter'
      ? { messages, filters: [{ reason: 'SAFETY' }] }
      : { candidates: [{ author: '1', content: reply.text }], messages }
  const text = JSON.stringify(said, null, 2)
  const frames: string[] = []
  for (let at = 0; at < text.length; at += PIECE) frames.push(text.slice(at, at + PIECE).toWellFormed())
  return {
    contentType: 'application/json; charset=UTF-8',
    frames: text.isWellFormed() && frames.join('') === text ? frames : [text],
    moreText: ' ',
    errorFrame: JSON.stringify(failGemini('server-error').body),
    tally: countTally(turn, reply),
  }
}
