import { asText } from '../../../server/dialects/json.ts'
import { askToWait, type FailureKind, type Fixed } from '../failure.ts'
import { composeReply, cutPieces, EMPTY_TURN } from '../reply.ts'
import type { Answer } from '../script.ts'
import { fields, findUnknown } from '../shape.ts'
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

export const LIBRARY = '4711'
const DOCUMENTS = [{ title: 'The manual', url: 'https://library.example/manual' }]

const CODES: Record<FailureKind, readonly [errCode: number, message: string]> = {
  'bad-request': [400, 'bad request'],
  'too-long': [400, 'query too long'],
  'bad-key': [401, 'invalid api key'],
  'account-off': [401, 'invalid api key'],
  'no-balance': [402, 'insufficient balance'],
  forbidden: [403, 'no permission to the library'],
  'not-found': [404, 'not found'],
  'no-model': [404, 'model not found'],
  'too-large': [413, 'too large'],
  'rate-limit': [429, 'too many requests'],
  quota: [429, 'quota exceeded'],
  filtered: [400, 'sensitive'],
  'server-error': [500, 'server error'],
  overloaded: [503, 'busy'],
  timeout: [504, 'timeout'],
}

/** With status 200, whatever it is. */
function fail(kind: FailureKind, words?: string): Fixed {
  const [errCode, usual] = CODES[kind]
  const body = { success: false, answer: '', documents: [], errCode, message: words ?? usual }
  return askToWait(kind, { status: 200, body })
}

function refuse(message: string, kind: FailureKind = 'bad-request'): never {
  throw new Refusal(message, fail(kind, message))
}

export function startAiproxyLibrary(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const { key = 'ap-upstream-library-0123456789' } = options
  const route = { method: 'POST', path: /^\/api\/library\/ask$/, takes: 'json', check, answer } as const
  return startUpstream(
    {
      name: 'AI Proxy',
      key,
      keyHeaders: ['authorization'],
      authorize: bearerOnly(fail),
      fail,
      routes: [route],
    },
    options,
  )
}

function check({ body }: Call): void {
  const unknown = findUnknown(body, fields('model query libraryId stream'))
  if (unknown !== undefined) refuse(`unknown field ${unknown.join('.')}`)
  if (!asText(body.model) || !asText(body.query)) refuse('model and query are required')
  if (body.libraryId !== LIBRARY) refuse('no such library', 'forbidden')
  if (typeof body.stream !== 'boolean') refuse('stream is required')
}

function answer({ body }: Call, script: Answer): Rendered {
  const query = asText(body.query) ?? ''
  const turn = { ...EMPTY_TURN, model: asText(body.model) ?? '', text: query, lastText: query }
  const reply = { ...composeReply(turn), ...script.reply }
  const tally = countTally(turn, reply)
  if (body.stream !== true) {
    const said = { success: true, answer: reply.text, documents: DOCUMENTS, errCode: 0, message: '' }
    return { contentType: 'application/json', body: JSON.stringify(said), tally }
  }
  const { model } = turn
  const frame = (content: string, finish = false): string => {
    const documents = finish ? DOCUMENTS : []
    return `data:${JSON.stringify({ content, finish, model, documents })}\n\n`
  }
  const texts = cutPieces(reply.text, script.pieceChars).map(piece => frame(piece))
  return {
    contentType: 'text/event-stream',
    frames: [...texts, frame('', true)],
    moreText: texts[0] ?? '',
    errorFrame: `data:${JSON.stringify(fail('server-error').body)}\n\n`,
    tally,
  }
}
