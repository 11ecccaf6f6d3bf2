import { asArray } from '../../../server/dialects/json.ts'
import { embed } from '../openai/answer-embeddings.ts'
import { composeReply, countTokens, cutPieces } from '../reply.ts'
import type { Answer } from '../script.ts'
import { startUpstream } from '../start-upstream.ts'
import { countTally, NO_TALLY } from '../tally.ts'
import { type Call, type FakeUpstream, Refusal, type Rendered, type UpstreamOptions } from '../upstream.ts'
import { dataFrame, editUsage } from '../write-frames.ts'
import { checkChat, readBaiduTurn } from './check-chat.ts'
import { failBaidu, refuseBaidu } from './fail.ts'

const WORKSHOP = '^/rpc/2\\.0/ai_custom/v1/wenxinworkshop'
const TOKEN_PATH = '/oauth/2.0/token'
const ID = 'as-bcmt5ct4iy'
const CREATED = 1_680_167_072

export interface FakeBaidu extends FakeUpstream {
  /** How often a token was given. */
  exchanges(): number
  /** No token that was given so far is good any more. */
  revokeAll(): void
}

/** The first API, with its token endpoint. */
export async function startBaidu(options: UpstreamOptions = {}): Promise<FakeBaidu> {
  const { key = 'fakeApiKey0123456789|fakeSecretKey0123456789' } = options
  const [id, secret] = key.split('|')
  const good = new Set<string>()
  let given = 0
  const upstream = await startUpstream(
    {
      name: 'Baidu',
      key,
      keyHeaders: [],
      authorize({ path, query }) {
        if (path === TOKEN_PATH) return checkPair(query, id, secret)
        if (!good.has(query.access_token ?? ''))
          refuseBaidu('Access token invalid or no longer valid', 'bad-key')
      },
      fail: failBaidu,
      routes: [
        {
          method: 'POST',
          path: /^\/oauth\/2\.0\/token$/,
          query: ['grant_type', 'client_id', 'client_secret'],
          takes: 'nothing',
          answer() {
            const access_token = `24.${++given}+fake/token=.2592000`
            good.add(access_token)
            return json({ access_token, expires_in: 2_592_000, scope: 'ai_custom_yiyan_com' })
          },
        },
        {
          method: 'POST',
          path: new RegExp(`${WORKSHOP}/chat/(?<slug>[a-z0-9_-]+)$`),
          query: ['access_token'],
          takes: 'json',
          check: checkChat,
          answer: answerChat,
        },
        {
          method: 'POST',
          path: new RegExp(`${WORKSHOP}/embeddings/(?<slug>[a-z0-9_-]+)$`),
          query: ['access_token'],
          takes: 'json',
          check: checkEmbeddings,
          answer: answerEmbeddings,
        },
      ],
    },
    options,
  )
  return { ...upstream, exchanges: () => given, revokeAll: () => good.clear() }
}

function checkPair(query: Call['seen']['query'], id: string | undefined, secret: string | undefined): void {
  const fault = (error_description: string): never => {
    throw new Refusal(error_description, {
      status: 401,
      body: { error: 'invalid_client', error_description },
    })
  }
  if (query.grant_type !== 'client_credentials') fault('unsupported grant type')
  if (query.client_id !== id) fault('unknown client id')
  if (query.client_secret !== secret) fault('Client authentication failed')
}

function answerChat(call: Call, answer: Answer): Rendered {
  const turn = readBaiduTurn(call.body, call.params.slug ?? '')
  const reply = { ...composeReply(turn), ...answer.reply }
  const tally = { ...countTally(turn, reply), cached: 0, reasoning: 0 }
  const usageAt = (output: number) => {
    const all = { prompt_tokens: tally.input, completion_tokens: output, total_tokens: tally.input + output }
    const usage = editUsage(all, answer)
    return usage === undefined ? {} : { usage }
  }
  const head = { id: ID, object: 'chat.completion', created: CREATED }
  const is_truncated = reply.finish === 'length'
  const end = { is_truncated, need_clear_history: false, ...usageAt(tally.output) }
  if (!turn.stream) return { ...json({ ...head, result: reply.text, ...end }), tally }
  const pieces = cutPieces(reply.text, answer.pieceChars)
  const texts = pieces.map((result, sentence_id) =>
    dataFrame({ ...head, sentence_id, is_end: false, is_truncated: false, result, ...usageAt(sentence_id) }),
  )
  return {
    contentType: 'text/event-stream',
    frames: [...texts, dataFrame({ ...head, sentence_id: pieces.length, is_end: true, result: '', ...end })],
    moreText: texts[0] ?? '',
    errorFrame: dataFrame(failBaidu('server-error').body),
    tally,
  }
}

function checkEmbeddings({ body }: Call): void {
  if (Object.keys(body).some(name => name !== 'input' && name !== 'user_id')) refuseBaidu('Invalid parameter')
  if (!Array.isArray(body.input)) refuseBaidu('the input must be a list')
}

function answerEmbeddings({ body }: Call, answer: Answer): Rendered {
  const inputs = asArray(body.input).map(String)
  const input = inputs.reduce((sum, one) => sum + countTokens(one), 0)
  const data = inputs.map((one, index) => ({ object: 'embedding', embedding: embed(one, 8), index }))
  const usage = editUsage({ prompt_tokens: input, total_tokens: input }, answer)
  const said = { id: ID, object: 'embedding_list', created: CREATED, data, usage }
  return { ...json(said), tally: { ...NO_TALLY, input } }
}

function json(body: object): Rendered {
  return { contentType: 'application/json', body: JSON.stringify(body), tally: NO_TALLY }
}
