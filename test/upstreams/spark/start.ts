import { asObject, type JsonObject } from '../../../server/dialects/json.ts'
import type { FailureKind } from '../failure.ts'
import { chatUsage, OPENAI_CHAT } from '../openai/chat-style.ts'
import { checkChat } from '../openai/check-chat.ts'
import { readChatTurn } from '../openai/read-chat-turn.ts'
import { writeChat } from '../openai/write-chat.ts'
import { composeReply, cutPieces } from '../reply.ts'
import type { Answer } from '../script.ts'
import { startUpstream } from '../start-upstream.ts'
import { countTally } from '../tally.ts'
import type { Call, FakeUpstream, Rendered, SocketTalk, UpstreamOptions } from '../upstream.ts'
import { editUsage } from '../write-frames.ts'
import { checkHandshake, findFault, readSparkTurn } from './check-socket.ts'
import { errorMessage, failSpark, refuseSpark } from './fail.ts'

const SID = 'cht000cb087@dx18793421e7fb894542'

/** Its WebSockets. What goes wrong after the handshake is told in a message. */
export async function startSpark(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const { key = 'fakeapp1|fakeSecret0123456789|fakeKey0123456789' } = options
  const [appId = '', apiSecret = '', apiKey = ''] = key.split('|')
  const faults: string[] = []
  const upstream = await startUpstream(
    {
      name: 'Spark',
      key,
      keyHeaders: [],
      authorize: seen => checkHandshake(seen, apiKey, apiSecret),
      fail: failSpark,
      routes: [],
      socket: {
        path: /^\/(v[\d.]+\/chat|chat\/[a-z0-9-]+|v1\/x1)$/,
        async talk(talk) {
          const fault = await converse(talk, appId)
          if (fault) faults.push(fault)
        },
      },
    },
    options,
  )
  const failWith = (kind: FailureKind, message?: string): Answer => {
    const told = errorMessage(kind, message)
    return told === undefined ? failSpark(kind, message) : { frames: () => [told] }
  }
  return {
    ...upstream,
    get complaints() {
      return [...upstream.complaints, ...faults]
    },
    failWith,
    failTellingSecrets: kind => seen => failWith(kind, `${upstream.url}${seen.path} refused the key ${key}`),
  }
}

async function converse(
  { call, answer, served, say, hear }: SocketTalk,
  appId: string,
): Promise<string | undefined> {
  const message = await hear()
  if (message === undefined) return undefined
  const fault = findFault(call.seen.path, message, appId)
  const { frames, tally } = writeFrames(message, answer)
  served.tally = tally
  const own = fault ? [errorMessage('bad-request', fault) ?? ''] : (answer.frames?.(frames) ?? frames)
  const cut = answer.errorAfterFrames
  const all = cut === undefined ? own : [...own.slice(0, cut), errorMessage('server-error') ?? '']
  for (const frame of all) if (!(await say(JSON.parse(frame)))) break
  return fault
}

function writeFrames(message: JsonObject, answer: Answer): { frames: string[]; tally: Rendered['tally'] } {
  const turn = readSparkTurn(message)
  const reply = { ...composeReply(turn), ...answer.reply }
  const tally = { ...countTally(turn, reply), cached: 0, reasoning: 0 }
  const counts = {
    question_tokens: 4,
    prompt_tokens: tally.input,
    completion_tokens: tally.output,
    total_tokens: tally.input + tally.output,
  }
  const usage = editUsage(counts, answer)
  const texts: JsonObject[] = [
    ...cutPieces(reply.thinking, answer.pieceChars).map(piece => ({ content: '', reasoning_content: piece })),
    ...cutPieces(reply.text, answer.pieceChars).map(content => ({ content })),
  ]
  const frames = [...texts, { content: '' }].map((text, seq, all) => {
    const status = seq === all.length - 1 ? 2 : seq === 0 ? 0 : 1
    const choices = { status, seq, text: [{ ...text, role: 'assistant', index: 0 }] }
    const told = status === 2 && usage !== undefined ? { usage: { text: usage } } : {}
    return JSON.stringify({
      header: { code: 0, message: 'Success', sid: SID, status },
      payload: { choices, ...told },
    })
  })
  return { frames, tally }
}

/** Its plain requests: answers name no finish, and usage comes with the last text. */
export function startSparkOpen(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const { key = 'fakePassword0123456789' } = options
  return startUpstream(
    {
      name: 'Spark by HTTP',
      key,
      keyHeaders: ['authorization'],
      authorize(seen) {
        if (seen.headers.authorization !== `Bearer ${key}`) refuseSpark('invalid user', 'bad-key')
      },
      fail: failSpark,
      routes: [
        {
          method: 'POST',
          path: /^\/v[12]\/chat\/completions$/,
          takes: 'json',
          check: checkOpen,
          answer: answerOpen,
        },
      ],
    },
    options,
  )
}

const UNKNOWN = [
  'stream_options',
  'seed',
  'verbosity',
  'service_tier',
  'prompt_cache_key',
  'max_completion_tokens',
]

function checkOpen(call: Call): void {
  const { body, seen } = call
  const unknown = UNKNOWN.find(name => name in body)
  if (unknown !== undefined) refuseSpark(`invalid param ${unknown}`)
  if (/"content":\[/.test(seen.text)) refuseSpark('content must be a string')
  const thinks = /^(x1|spark-x)/.test(String(body.model))
  if (seen.path.startsWith('/v2') !== thinks) refuseSpark(`invalid param model:${body.model}`, 'no-model')
  checkChat(call)
}

function answerOpen(call: Call, answer: Answer): Rendered {
  const turn = readChatTurn(call.body, ({ model }) => model === 'spark-x')
  const style = {
    ...OPENAI_CHAT,
    thinking: 'reasoning_content',
    usage: chatUsage,
    usageIn: 'finish-chunk',
    saysNoUsage: false,
    errorFrame: `data:${JSON.stringify({ code: 10012, message: 'EngineInternalError', sid: SID })}\n\n`,
  } as const
  const rendered = writeChat(call, turn, style, answer)
  return {
    ...rendered,
    ...(rendered.body !== undefined && { body: JSON.stringify(asSpark(JSON.parse(String(rendered.body)))) }),
    ...(rendered.frames && {
      frames: rendered.frames.map(reword),
      moreText: reword(rendered.moreText ?? ''),
    }),
  }
}

function reword(frame: string): string {
  if (!frame.startsWith('data: {')) return frame.replace('data: ', 'data:')
  return `data:${JSON.stringify(asSpark(JSON.parse(frame.slice('data: '.length))))}\n\n`
}

function asSpark({ choices, usage, created }: JsonObject): JsonObject {
  const [choice] = Array.isArray(choices) ? choices : []
  const { index, delta, message } = asObject(choice) ?? {}
  return {
    ...{ code: 0, message: 'Success', sid: SID },
    ...(delta !== undefined && { id: SID, created }),
    choices: [{ ...(delta !== undefined && { delta }), ...(message !== undefined && { message }), index }],
    ...(usage !== undefined && { usage }),
  }
}
