import {
  asArray,
  asNumber,
  asObject,
  asText,
  type JsonObject,
  parseObject,
} from '../../../server/dialects/json.ts'
import { PIXEL } from '../openai/answer-images.ts'
import { answerModels } from '../openai/answer-plain-tasks.ts'
import { chatUsage, OPENAI_CHAT } from '../openai/chat-style.ts'
import { readChatTurn } from '../openai/read-chat-turn.ts'
import { type ChatStyle, writeChat } from '../openai/write-chat.ts'
import type { Answer } from '../script.ts'
import { fields, findUnknown, type Shape } from '../shape.ts'
import { startUpstream } from '../start-upstream.ts'
import { NO_TALLY } from '../tally.ts'
import type { Call, FakeUpstream, Rendered, SeenRequest, UpstreamOptions } from '../upstream.ts'
import { dataFrame, editUsage } from '../write-frames.ts'
import { checkChat, thinks } from './check-chat.ts'
import { failMinimax, refuseMinimax } from './fail.ts'

const GOOD = { base_resp: { status_code: 0, status_msg: '' } }

const STYLE: ChatStyle = {
  idPrefix: '',
  newCallId: OPENAI_CHAT.newCallId,
  usage: tally => ({ ...chatUsage(tally), total_characters: 0 }),
  usageIn: 'own-chunk',
  thinking: 'reasoning_content',
  saysNoUsage: true,
  messageExtra: { name: 'MiniMax AI', audio_content: '' },
  extra: { input_sensitive: false, output_sensitive: false, ...GOOD },
  errorFrame: dataFrame({ id: '1', choices: null, ...failMinimax('server-error').body }),
}

function answerChat(call: Call, answer: Answer): Rendered {
  const rendered = writeChat(call, readChatTurn(call.body, thinks), STYLE, answer)
  const { body, frames } = rendered
  return {
    ...rendered,
    ...(typeof body === 'string' && { body: JSON.stringify(splitThoughts(parseObject(body) ?? {})) }),
    ...(frames && { frames: frames.map(rewriteFrame) }),
  }
}

function rewriteFrame(frame: string): string {
  const chunk = parseObject(frame.slice('data: '.length))
  return chunk ? dataFrame(splitThoughts(chunk)) : frame
}

/** Thoughts stand in a list of their own. */
function splitThoughts(body: JsonObject): JsonObject {
  const choices = asArray(body.choices).map(one => {
    const choice = asObject(one) ?? {}
    const name = choice.delta === undefined ? 'message' : 'delta'
    const { reasoning_content: text, ...rest } = asObject(choice[name]) ?? {}
    if (text === undefined) return choice
    const detail = { type: 'reasoning.text', id: 'reasoning-text-1', format: 'MiniMax-response-v1', index: 0 }
    return { ...choice, [name]: { ...rest, reasoning_details: [{ ...detail, text }] } }
  })
  return { ...body, choices }
}

const SPEECH: Shape = {
  ...fields('model text stream output_format language_boost pronunciation_dict voice_modify'),
  voice_setting: fields('voice_id speed vol pitch emotion'),
  audio_setting: fields('sample_rate bitrate format channel'),
}

function checkSpeech({ body }: Call): void {
  const unknown = findUnknown(body, SPEECH)
  if (unknown !== undefined) refuseMinimax(`invalid params, unknown ${unknown.join('.')}`)
  if (body.stream !== false || body.output_format !== 'hex') refuseMinimax('invalid params, stream')
  const { voice_id, speed = 1 } = asObject(body.voice_setting) ?? {}
  if (!asText(body.text) || !asText(voice_id)) refuseMinimax('invalid params, empty field')
  if (typeof speed !== 'number' || speed < 0.5 || speed > 2) refuseMinimax('invalid params, speed')
}

/** A character of Chinese counts as two. */
function countSpoken(text: string): number {
  return [...text].reduce((sum, one) => sum + (one >= '\u2e80' ? 2 : 1), 0)
}

function speak({ body }: Call, answer: Answer): Rendered {
  const text = asText(body.text) ?? ''
  const format = asObject(body.audio_setting)?.format ?? 'mp3'
  return say({
    data: { audio: Buffer.from(`ID3${text}`).toString('hex'), status: 2 },
    extra_info: {
      ...{ audio_length: 1000, audio_format: format },
      ...asObject(editUsage({ usage_characters: countSpoken(text) }, answer)),
    },
    trace_id: '01b8bf9bb7433cc75c18eee6cfa8fe21',
  })
}

const DRAW = fields(
  'model prompt aspect_ratio width height response_format n seed prompt_optimizer aigc_watermark style subject_reference',
)

function checkDraw({ body }: Call): void {
  const unknown = findUnknown(body, DRAW)
  if (unknown !== undefined) refuseMinimax(`invalid params, unknown ${unknown.join('.')}`)
  if (body.response_format !== 'url' && body.response_format !== 'base64')
    refuseMinimax('invalid params, response_format')
}

function draw({ body }: Call): Rendered {
  const count = asNumber(body.n) ?? 1
  const all = <T>(one: T): T[] => Array.from({ length: count }, () => one)
  const data =
    body.response_format === 'url'
      ? { image_urls: all('https://oss.example/1.png') }
      : { image_base64: all(PIXEL) }
  return say({ id: '1', data, metadata: { success_count: String(count), failed_count: '0' } })
}

function say(body: JsonObject): Rendered {
  return { contentType: 'application/json', body: JSON.stringify({ ...body, ...GOOD }), tally: NO_TALLY }
}

export function startMinimax(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const { key = 'eyJhbGciOiJSUzI1NiJ9.upstream-minimax.0123456789' } = options
  const post = { method: 'POST', takes: 'json' } as const
  return startUpstream(
    {
      name: 'MiniMax',
      key,
      keyHeaders: ['authorization'],
      authorize,
      fail: failMinimax,
      routes: [
        {
          ...post,
          path: /^\/v1\/(chat\/completions|text\/chatcompletion_v2)$/,
          check: checkChat,
          answer: answerChat,
        },
        { ...post, path: /^\/v1\/t2a_v2$/, check: checkSpeech, answer: speak },
        { ...post, path: /^\/v1\/image_generation$/, check: checkDraw, answer: draw },
        { method: 'GET', path: /^\/v1\/models$/, takes: 'nothing', answer: answerModels },
      ],
    },
    options,
  )
}

function authorize(seen: SeenRequest, key: string): void {
  if (seen.headers.authorization !== `Bearer ${key}`) refuseMinimax('the key is wrong', 'bad-key')
}
