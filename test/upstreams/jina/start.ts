import { asArray, asNumber, asObject, asText, type Json } from '../../../server/dialects/json.ts'
import { askToWait, type FailureKind, type Fixed } from '../failure.ts'
import { embed } from '../openai/answer-embeddings.ts'
import { countTokens } from '../reply.ts'
import type { Answer } from '../script.ts'
import { fields, findUnknown, type Shape } from '../shape.ts'
import { startUpstream } from '../start-upstream.ts'
import { NO_TALLY } from '../tally.ts'
import {
  bearerOnly,
  type Call,
  type FakeUpstream,
  Refusal,
  type Rendered,
  type UpstreamOptions,
} from '../upstream.ts'
import { editUsage } from '../write-frames.ts'

const FAILURES: Record<FailureKind, readonly [status: number, detail: string]> = {
  'bad-request': [422, 'Input validation error'],
  'too-long': [400, 'Input text exceeds maximum length of 8194 tokens for model jina-embeddings-v3.'],
  'bad-key': [401, 'Unauthorized. Invalid API key.'],
  'account-off': [401, 'Unauthorized. The API key has been revoked.'],
  'no-balance': [402, 'Account balance not enough to run this query, please recharge.'],
  forbidden: [403, 'Forbidden.'],
  'not-found': [404, 'Not Found'],
  'no-model': [404, 'Model none not found.'],
  'too-large': [413, 'Request Entity Too Large'],
  'rate-limit': [429, 'Per IP rate limit exceeded.'],
  quota: [429, 'Token rate limit exceeded.'],
  filtered: [400, 'Refused.'],
  'server-error': [500, 'Internal Server Error'],
  overloaded: [503, 'Service Unavailable'],
  timeout: [524, 'A timeout occurred.'],
}

function failJina(kind: FailureKind, detail?: string): Fixed {
  const [status, usual] = FAILURES[kind]
  const body = { detail: detail ?? usual }
  return askToWait(kind, { status, body })
}

function refuse(message: string): never {
  throw new Refusal(message, failJina('bad-request', message))
}

export function startJina(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const { key = 'jina_0123456789abcdef' } = options
  return startUpstream(
    {
      name: 'Jina',
      key,
      keyHeaders: ['authorization'],
      authorize: bearerOnly(failJina),
      fail: failJina,
      routes: [
        {
          ...{ method: 'POST', path: /^\/v1\/embeddings$/, takes: 'json' },
          check: call => checkFields(call, EMBED),
          answer: answerEmbeddings,
        },
        {
          ...{ method: 'POST', path: /^\/v1\/rerank$/, takes: 'json' },
          check: call => checkFields(call, RERANK),
          answer: answerRerank,
        },
      ],
    },
    options,
  )
}

const EMBED = fields('model input task dimensions normalized late_chunking embedding_type truncate')
const RERANK = fields('model query documents top_n return_documents truncation')

function checkFields({ body }: Call, shape: Shape): void {
  const unknown = findUnknown(body, shape)
  if (unknown !== undefined) refuse(`${unknown.join('.')}: Extra inputs are not permitted`)
  if (typeof body.model !== 'string') refuse('model: Field required')
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : (asText(asObject(value)?.text) ?? '')
}

function answerEmbeddings({ body }: Call, answer: Answer): Rendered {
  const inputs = (Array.isArray(body.input) ? body.input : [body.input ?? '']).map(textOf)
  const input = inputs.reduce((sum, one) => sum + countTokens(one), 0)
  const usage = editUsage({ total_tokens: input, prompt_tokens: input }, answer)
  const data = inputs.map((one, index) => ({
    ...{ object: 'embedding', index },
    embedding: embed(one, asNumber(body.dimensions) ?? 8),
  }))
  const said = { model: body.model, object: 'list', ...(usage !== undefined && { usage }), data }
  return { contentType: 'application/json', body: JSON.stringify(said), tally: { ...NO_TALLY, input } }
}

/** The longer the document, the better it fits. Documents come back unless they are not wanted. */
function answerRerank({ body }: Call, answer: Answer): Rendered {
  const documents = asArray(body.documents).map(textOf)
  const input = countTokens(`${body.query}${documents.join('')}`)
  const usage = editUsage({ total_tokens: input }, answer)
  const results = documents
    .map((text, index) => ({
      ...{ index, relevance_score: text.length / 100 },
      ...(body.return_documents !== false && { document: { text } }),
    }))
    .sort((a, b) => b.relevance_score - a.relevance_score)
    .slice(0, asNumber(body.top_n) ?? documents.length)
  const said = { model: body.model, object: 'list', ...(usage !== undefined && { usage }), results }
  return { contentType: 'application/json', body: JSON.stringify(said), tally: { ...NO_TALLY, input } }
}
