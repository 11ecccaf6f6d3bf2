import { asArray, asNumber, asObject, asText, type Json } from '../../../server/dialects/json.ts'
import { embed } from '../openai/answer-embeddings.ts'
import { composeReply } from '../reply.ts'
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
import { answerPredict, checkPredict } from './answer-predict.ts'
import { answerSpeech, checkSpeech, isSpeaker } from './answer-speech.ts'
import { camelNames } from './camel-names.ts'
import { checkBatchEmbed, checkCountTokens, checkEmbed, checkGenerate, checkMixing } from './check-request.ts'
import { failGemini } from './fail.ts'
import { interactionRoutes } from './interactions/write-interaction.ts'
import { readGeminiTurn } from './read-turn.ts'
import { writeGemini } from './write-answer.ts'

const MODELS = ['gemini-4-argon', 'gemini-3.8-flash', 'gemini-2.5-pro', 'gemini-embedding-001']
const TYPE = 'application/json; charset=UTF-8'
const DIMENSIONS = 8

export const geminiRoutes: readonly Route[] = [
  post('generateContent', {
    check: call => {
      checkGenerate(call)
      checkMixing(call)
      if (isSpeaker(call)) checkSpeech(call)
    },
    answer: (call, answer) =>
      isSpeaker(call)
        ? answerSpeech(call, answer)
        : writeGemini(call, readGeminiTurn(call.body, call.params), answer),
  }),
  post('predict', { check: checkPredict, answer: answerPredict }),
  post('streamGenerateContent', {
    check: call => {
      checkGenerate(call)
      checkMixing(call)
    },
    answer: (call, answer) =>
      writeGemini(call, readGeminiTurn(call.body, { ...call.params, stream: true }), answer),
  }),
  post('countTokens', { check: checkCountTokens, answer: countTokens }),
  post('embedContent', { check: checkEmbed, answer: embedOne }),
  post('batchEmbedContents', { check: checkBatchEmbed, answer: embedMany }),
  {
    method: 'GET',
    path: /^\/(?<version>v1beta|v1)\/models$/,
    query: ['pageSize', 'pageToken', 'key'],
    takes: 'nothing',
    answer: listModels,
  },
  ...interactionRoutes,
]

export function startGemini(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const { key = 'AIzaSyUpstreamGemini0123456789' } = options
  return startUpstream(
    {
      name: 'Gemini',
      key,
      keyHeaders: ['x-goog-api-key'],
      authorize,
      fail: failGemini,
      routes: geminiRoutes,
    },
    options,
  )
}

function post(method: string, route: Pick<Route, 'check' | 'answer'>): Route {
  return {
    method: 'POST',
    path: new RegExp(`^/(?<version>v1beta|v1)/models/(?<model>[^/:]+):${method}$`),
    query: method === 'streamGenerateContent' ? ['alt', 'key'] : ['key'],
    takes: 'json',
    ...route,
  }
}

function authorize(seen: SeenRequest, key: string): void {
  const inHeader = seen.headers['x-goog-api-key']
  const inQuery = seen.query.key
  if (inHeader !== undefined && inQuery !== undefined)
    throw new Refusal('the key came twice', failGemini('bad-request', 'The API key was given twice.'))
  if (inHeader === undefined && inQuery === undefined)
    throw new Refusal(
      'there is no key',
      failGemini(
        'forbidden',
        "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
      ),
    )
  if ((inHeader ?? inQuery) !== key) throw new Refusal('the key is wrong', failGemini('bad-key'))
}

function countTokens(call: Call): Rendered {
  const body = camelNames(call.body)
  const turn = readGeminiTurn(asObject(body.generateContentRequest) ?? body)
  const { input } = countTally(turn, composeReply(turn))
  const said = { totalTokens: input, promptTokensDetails: [{ modality: 'TEXT', tokenCount: input }] }
  return { contentType: TYPE, body: JSON.stringify(said, null, 2), tally: NO_TALLY }
}

function vectorOf(request: Json | undefined): { values: number[] } {
  const one = camelNames(asObject(request) ?? {})
  const texts = asArray(asObject(one.content)?.parts).map(part => asText(asObject(part)?.text) ?? '')
  return { values: embed(texts.join(''), asNumber(one.outputDimensionality) ?? DIMENSIONS) }
}

/** Embeddings tell no usage. */
function embedOne(call: Call): Rendered {
  const body = JSON.stringify({ embedding: vectorOf(call.body) }, null, 2)
  return { contentType: TYPE, body, tally: NO_TALLY }
}

function embedMany(call: Call): Rendered {
  const body = JSON.stringify({ embeddings: asArray(call.body.requests).map(vectorOf) }, null, 2)
  return { contentType: TYPE, body, tally: NO_TALLY }
}

function listModels(call: Call): Rendered {
  const { pageSize = '50', pageToken = '0' } = call.seen.query
  const all = call.options.models ?? MODELS
  const start = Number(pageToken)
  const page = all.slice(start, start + Number(pageSize))
  const models = page.map(id => ({
    name: `models/${id}`,
    version: '001',
    displayName: id,
    inputTokenLimit: 1048576,
    outputTokenLimit: 65536,
    supportedGenerationMethods: id.includes('embedding')
      ? ['embedContent', 'countTokens']
      : ['generateContent', 'countTokens'],
  }))
  const end = start + page.length
  const body = { models, ...(end < all.length ? { nextPageToken: String(end) } : {}) }
  return { contentType: TYPE, body: JSON.stringify(body, null, 2), tally: NO_TALLY }
}
