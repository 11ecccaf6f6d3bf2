import {
  asArray,
  asNumber,
  asObject,
  asText,
  type Json,
  type JsonObject,
} from '../../../server/dialects/json.ts'
import { checkCount, checkMessages } from '../anthropic/check-request.ts'
import { readAnthropicTurn } from '../anthropic/read-turn.ts'
import { writeAnthropic } from '../anthropic/write-answer.ts'
import type { FailureKind, Fixed } from '../failure.ts'
import { checkCountTokens, checkGenerate } from '../gemini/check-request.ts'
import { failGemini, geminiError, refuseGemini } from '../gemini/fail.ts'
import { readGeminiTurn } from '../gemini/read-turn.ts'
import { writeGemini } from '../gemini/write-answer.ts'
import { embed } from '../openai/answer-embeddings.ts'
import { OPENAI_CHAT } from '../openai/chat-style.ts'
import { checkChat } from '../openai/check-chat.ts'
import { readChatTurn } from '../openai/read-chat-turn.ts'
import { writeChat } from '../openai/write-chat.ts'
import { composeReply, countTokens } from '../reply.ts'
import type { Answer } from '../script.ts'
import { startUpstream } from '../start-upstream.ts'
import { countTally, NO_TALLY } from '../tally.ts'
import {
  type Call,
  type FakeUpstream,
  Refusal,
  type Rendered,
  type Route,
  type SeenRequest,
  type UpstreamOptions,
} from '../upstream.ts'
import { PROJECT, startTokenEndpoint, type TokenEndpoint } from './token-endpoint.ts'

const API_KEY = 'AQ.FakeVertexApiKey0123456789'
const PLACE = `^/v1/projects/${PROJECT}/locations/(?<region>[a-z0-9-]+)`
const EXPRESS = '^/v1'

export interface FakeVertex extends FakeUpstream {
  readonly tokens: TokenEndpoint
}

/** Vertex with its token endpoint; `apiKey` makes it the door for API keys. */
export async function startVertex(options: UpstreamOptions & { apiKey?: boolean } = {}): Promise<FakeVertex> {
  const tokens = startTokenEndpoint()
  const place = options.apiKey ? EXPRESS : PLACE
  const upstream = await startUpstream(
    {
      name: 'Vertex',
      key: options.apiKey ? API_KEY : tokens.account,
      keyHeaders: ['authorization'],
      authorize: options.apiKey ? checkApiKey : seen => checkToken(seen, tokens),
      fail: failVertex,
      routes: options.apiKey
        ? googleRoutes(place)
        : [...googleRoutes(place), ...claudeRoutes(place), openRoute(place)],
    },
    options,
  )
  return {
    ...upstream,
    tokens,
    async stop() {
      await upstream.stop()
      await tokens.stop()
    },
  }
}

function failVertex(kind: FailureKind, message?: string): Fixed {
  if (kind !== 'bad-key') return failGemini(kind, message)
  const said = 'Request had invalid authentication credentials. Expected OAuth 2 access token.'
  return geminiError(401, 'UNAUTHENTICATED', message ?? said)
}

function checkToken(seen: SeenRequest, tokens: TokenEndpoint): void {
  const token = seen.headers.authorization?.replace(/^Bearer /, '') ?? ''
  if (!tokens.isGood(token)) throw new Refusal('the token is not good', failVertex('bad-key'))
}

function checkApiKey(seen: SeenRequest): void {
  if (seen.query.key !== API_KEY) throw new Refusal('the key is wrong', failVertex('bad-key'))
  if ('authorization' in seen.headers) throw new Refusal('two proofs', failVertex('bad-request'))
}

function googleRoutes(place: string): Route[] {
  const route = (method: string, more: Pick<Route, 'check' | 'answer'>): Route => ({
    method: 'POST',
    path: new RegExp(`${place}/publishers/google/models/(?<model>[^/:]+):${method}$`),
    query: ['alt', 'key'],
    takes: 'json',
    ...more,
  })
  return [
    route('generateContent', {
      check: checkGoogle,
      answer: (call, answer) => writeGemini(call, readGeminiTurn(call.body, call.params), answer),
    }),
    route('streamGenerateContent', { check: checkGoogle, answer: streamGoogle }),
    route('countTokens', { check: checkCountTokens, answer: countGoogle }),
    route('predict', { check: checkPredict, answer: predict }),
    route('embedContent', { check: checkEmbedContent, answer: embedContent }),
  ]
}

function checkGoogle(call: Call): void {
  if (/"function(Call|Response)":\{[^}]*"id"/.test(call.seen.text)) refuseGemini('Unknown name "id"')
  if (call.seen.text.includes('"includeServerSideToolInvocations"'))
    refuseGemini('Unknown name "includeServerSideToolInvocations" at \'tool_config\': Cannot find field.')
  checkGenerate(call)
}

/** The first chunks say of usage only how it came. */
function streamGoogle(call: Call, answer: Answer): Rendered {
  const turn = readGeminiTurn(call.body, { ...call.params, stream: true })
  const rendered = writeGemini(call, turn, answer)
  const frames = rendered.frames?.map((frame, at, all) => {
    if (at === all.length - 1 || answer.usage !== undefined) return frame
    const chunk = asObject(JSON.parse(frame.slice('data: '.length))) ?? {}
    return `data: ${JSON.stringify({ ...chunk, usageMetadata: { trafficType: 'ON_DEMAND' } })}\n\n`
  })
  return frames === undefined ? rendered : { ...rendered, frames }
}

function countGoogle(call: Call): Rendered {
  const turn = readGeminiTurn(call.body)
  const { input } = countTally(turn, composeReply(turn))
  return json({ totalTokens: input, totalBillableCharacters: turn.text.length })
}

function checkEmbedContent({ body, params }: Call): void {
  const unknown = Object.keys(body).find(name => name !== 'content' && name !== 'outputDimensionality')
  if (unknown !== undefined) refuseGemini(`Unknown name "${unknown}"`)
  if (params.model === 'gemini-embedding-001') refuseGemini('embedContent is not supported by this model')
}

function embedContent({ body }: Call): Rendered {
  const text = asArray(asObject(body.content)?.parts)
    .map(part => asText(asObject(part)?.text))
    .join('')
  const values = embed(text, asNumber(body.outputDimensionality) ?? 8)
  return json({ embedding: { values }, usageMetadata: { promptTokenCount: countTokens(text) } })
}

function checkPredict({ body, params }: Call): void {
  if (params.model?.startsWith('gemini-embedding-2')) refuseGemini('predict is not supported by this model')
  if (params.model === 'gemini-embedding-001' && asArray(body.instances).length > 1)
    refuseGemini('gemini-embedding-001 supports one instance per request')
  const unknown = Object.keys(body).find(name => name !== 'instances' && name !== 'parameters')
  if (unknown !== undefined) refuseGemini(`Unknown name "${unknown}"`)
  if (asArray(body.instances).length === 0) refuseGemini('instances is not specified')
}

function predict({ body, params }: Call): Rendered {
  const instances = asArray(body.instances).map(one => asObject(one) ?? {})
  const parameters = asObject(body.parameters) ?? {}
  if (params.model?.startsWith('imagen')) {
    const picture = { mimeType: 'image/png', bytesBase64Encoded: 'iVBORw0KGgo=' }
    return json({ predictions: Array.from({ length: asNumber(parameters.sampleCount) ?? 1 }, () => picture) })
  }
  const size = asNumber(parameters.outputDimensionality) ?? 8
  const texts = instances.map(({ content }) => asText(content) ?? '')
  const predictions = texts.map(text => ({
    embeddings: {
      values: embed(text, size),
      statistics: { token_count: countTokens(text), truncated: false },
    },
  }))
  return json({ predictions })
}

function claudeRoutes(place: string): Route[] {
  const models = `${place}/publishers/anthropic/models`
  return [
    {
      method: 'POST',
      path: new RegExp(`${models}/count-tokens:rawPredict$`),
      takes: 'json',
      check(call) {
        checkBetas(call)
        checkCount(asAnthropic(call, asText(call.body.model)))
      },
      answer(call) {
        const turn = readAnthropicTurn(call.body)
        return json({ input_tokens: countTally(turn, composeReply(turn)).input })
      },
    },
    {
      method: 'POST',
      path: new RegExp(`${models}/(?<model>[^/:]+):(?<stream>streamRawPredict|rawPredict)$`),
      takes: 'json',
      check: checkClaude,
      answer(call, answer) {
        const inner = asAnthropic(call, call.params.model)
        return writeAnthropic(inner, readAnthropicTurn(inner.body), answer)
      },
    },
  ]
}

/** The same call as Anthropic itself would get it. */
function asAnthropic(call: Call, name: string | undefined): Call {
  const { anthropic_version: _, anthropic_beta: _betas, ...rest } = call.body
  const body: JsonObject = { ...rest, model: name?.replace('@', '-') ?? '' }
  return { ...call, body, seen: { ...call.seen, headers: { 'anthropic-version': '2023-06-01' } } }
}

const BETAS = `computer-use-2025-01-24 interleaved-thinking-2025-05-14 context-1m-2025-08-07
  context-management-2025-06-27 tool-search-tool-2025-10-19 web-search-2025-03-05`.split(/\s+/)

function checkBetas({ body, seen }: Call): void {
  const betas = [...asArray(body.anthropic_beta), ...(seen.headers['anthropic-beta']?.split(',') ?? [])]
  const odd = betas.find(beta => !BETAS.includes(String(beta)))
  if (odd !== undefined) refuseGemini(`Unexpected value(s) \`${odd}\` for the \`anthropic-beta\` header.`)
}

function checkClaude(call: Call): void {
  const { body, params } = call
  checkBetas(call)
  if (/"(scope|eager_input_streaming)":/.test(call.seen.text)) refuseGemini('Extra inputs are not permitted')
  if ('model' in body) refuseGemini('model: Extra inputs are not permitted')
  if (body.anthropic_version !== 'vertex-2023-10-16') refuseGemini('anthropic_version: Field required')
  if ((body.stream === true) !== (params.stream === 'streamRawPredict'))
    refuseGemini('stream does not fit the address')
  if (/-\d{8}$/.test(params.model ?? '')) refuseGemini('Publisher Model was not found')
  try {
    checkMessages(asAnthropic(call, params.model))
  } catch (error) {
    if (error instanceof Refusal) refuseGemini(error.message)
    throw error
  }
}

function openRoute(place: string): Route {
  return {
    method: 'POST',
    path: new RegExp(`${place}/endpoints/openapi/chat/completions$`),
    takes: 'json',
    check: checkChat,
    answer: (call, answer) => writeChat(call, readChatTurn(call.body), OPENAI_CHAT, answer),
  }
}

function json(body: Json): Rendered {
  return { contentType: 'application/json; charset=UTF-8', body: JSON.stringify(body), tally: NO_TALLY }
}
