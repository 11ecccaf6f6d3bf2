import { asArray, asObject, asText, type JsonObject, parseObject } from '../../../server/dialects/json.ts'
import { askToWait, type FailureKind, type Fixed } from '../failure.ts'
import { composeReply, cutPieces, EMPTY_TURN, type Image, type Reply, type Turn } from '../reply.ts'
import type { Answer } from '../script.ts'
import { fields, findUnknown, type Shape } from '../shape.ts'
import { startUpstream } from '../start-upstream.ts'
import { countTally } from '../tally.ts'
import {
  bearerOnly,
  type Call,
  type FakeUpstream,
  Refusal,
  type Rendered,
  type UpstreamOptions,
} from '../upstream.ts'
import { editUsage } from '../write-frames.ts'

export const BOT = '7348293334000000001'
const IDS = { conversation_id: '7380000000000000001', bot_id: BOT }
const CHAT = '7380000000000000002'
const MESSAGE = '7380000000000000003'

const FAILURES: Record<FailureKind, readonly [status: number, code: number, msg: string]> = {
  'bad-request': [200, 4000, 'Request parameter error'],
  'too-long': [200, 4000, 'The maximum context length of the model is exceeded.'],
  'bad-key': [401, 700012006, 'access token invalid'],
  'account-off': [200, 4100, 'authentication is invalid'],
  'no-balance': [200, 4028, 'You have used all of your free quota this month.'],
  forbidden: [200, 4101, 'The token you entered is not permitted to access the bot.'],
  'not-found': [404, 4200, 'Requested resource does not exist'],
  'no-model': [200, 4015, 'The bot has not been published to the channel Agent As API.'],
  'too-large': [413, 4000, 'Request Entity Too Large'],
  'rate-limit': [200, 4013, 'You have exceeded the rate limit.'],
  quota: [200, 4027, 'Your account has an overdue bill.'],
  filtered: [200, 4000, 'The content is not allowed.'],
  'server-error': [200, 5000, 'An internal error occurred.'],
  overloaded: [503, 5000, 'Service Unavailable'],
  timeout: [504, 5000, 'Gateway Timeout'],
}

function failCoze(kind: FailureKind, message?: string): Fixed {
  const [status, code, usual] = FAILURES[kind]
  const body = { code, msg: message ?? usual, detail: { logid: '20261117000000ABCDEF' } }
  return askToWait(kind, { status, body })
}

function refuse(message: string): never {
  throw new Refusal(message, failCoze('bad-request', message))
}

const SHAPE: Shape = {
  ...fields('bot_id user_id stream auto_save_history custom_variables meta_data'),
  additional_messages: [fields('role type content content_type')],
}

/** Streams alone, with nothing kept: whole answers would have to be looked up. */
function check({ body }: Call): void {
  const unknown = findUnknown(body, SHAPE)
  if (unknown !== undefined) refuse(`unknown field ${unknown.join('.')}`)
  if (body.bot_id !== BOT) refuse('bot_id is not valid')
  if (!asText(body.user_id)) refuse('user_id is required')
  if (body.stream !== true || body.auto_save_history !== false) refuse('stream and auto_save_history')
  const messages = asArray(body.additional_messages).map(message => asObject(message) ?? {})
  if (messages.at(-1)?.role !== 'user') refuse('the last message must be of the user')
  for (const { role, type, content, content_type } of messages) {
    if (type !== (role === 'assistant' ? 'answer' : 'question')) refuse(`a ${role} has no ${type}`)
    if (typeof content !== 'string') refuse('content must be a string')
    if (content_type !== 'text' && content_type !== 'object_string') refuse('content_type')
  }
}

function readTurn({ body }: Call): Turn {
  const messages = asArray(body.additional_messages).map(message => asObject(message) ?? {})
  const read = messages.map(({ content, content_type }) => {
    const text = asText(content) ?? ''
    if (content_type === 'text') return { text, images: [] }
    const objects = asArray(parseObject(`{"all":${text}}`)?.all).map(one => asObject(one) ?? {})
    return {
      text: objects.map(one => asText(one.text) ?? '').join(''),
      images: objects.flatMap((one): Image[] =>
        one.type === 'image' ? [{ url: String(one.file_url) }] : [],
      ),
    }
  })
  return {
    ...EMPTY_TURN,
    stream: true,
    text: read.map(({ text }) => text).join(''),
    media: read.flatMap(({ images }) => images).length,
    lastText: read.at(-1)?.text ?? '',
    lastImages: read.at(-1)?.images ?? [],
  }
}

const frame = (event: string, data: JsonObject | string) => `event:${event}\ndata:${JSON.stringify(data)}\n\n`

function answerChat(call: Call, answer: Answer): Rendered {
  const turn = readTurn(call)
  const reply: Reply = { ...composeReply(turn), ...answer.reply }
  const tally = { ...countTally(turn, reply), cached: 0, reasoning: 0 }
  const counted = {
    token_count: tally.input + tally.output,
    output_count: tally.output,
    input_count: tally.input,
  }
  const usage = editUsage(counted, answer)
  const chat = { id: CHAT, ...IDS, created_at: 1_763_000_000, last_error: { code: 0, msg: '' } }
  const message = { id: MESSAGE, ...IDS, chat_id: CHAT, role: 'assistant', content_type: 'text' }
  const texts = cutPieces(reply.text, answer.pieceChars).map(content =>
    frame('conversation.message.delta', { ...message, type: 'answer', content }),
  )
  const verbose = {
    ...message,
    id: '7380000000000000004',
    type: 'verbose',
    content: '{"msg_type":"generate_answer_finish"}',
  }
  return {
    contentType: 'text/event-stream',
    frames: [
      frame('conversation.chat.created', { ...chat, status: 'created' }),
      frame('conversation.chat.in_progress', { ...chat, status: 'in_progress' }),
      ...texts,
      frame('conversation.message.completed', { ...message, type: 'answer', content: reply.text }),
      frame('conversation.message.completed', verbose),
      frame('conversation.chat.completed', {
        ...chat,
        status: 'completed',
        ...(usage !== undefined && { usage }),
      }),
      frame('done', '[DONE]'),
    ],
    moreText: texts[0] ?? '',
    errorFrame: frame('error', failCoze('server-error').body),
    tally,
  }
}

export function startCoze(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  return startUpstream(
    {
      name: 'Coze',
      key: options.key ?? 'pat_fake0123456789abcdef',
      keyHeaders: ['authorization'],
      authorize: bearerOnly(failCoze),
      fail: failCoze,
      routes: [{ ...{ method: 'POST', path: /^\/v3\/chat$/, takes: 'json' }, check, answer: answerChat }],
    },
    options,
  )
}
