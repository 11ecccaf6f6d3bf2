import { asArray, asNumber, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { embed } from '../openai/answer-embeddings.ts'
import { countTokens } from '../reply.ts'
import type { Answer } from '../script.ts'
import { fields, findUnknown } from '../shape.ts'
import { NO_TALLY } from '../tally.ts'
import type { Call, Rendered } from '../upstream.ts'
import { editUsage } from '../write-frames.ts'
import { refuseCohere } from './fail.ts'

const PURPOSES = ['search_document', 'search_query', 'classification', 'clustering', 'image']

export function checkEmbed({ body }: Call): void {
  const unknown = findUnknown(
    body,
    fields('model texts images inputs input_type max_tokens output_dimension embedding_types truncate'),
  )
  if (unknown !== undefined)
    refuseCohere(`unknown field: parameter '${unknown.join('.')}' is not a valid field`)
  if (!PURPOSES.includes(String(body.input_type)))
    refuseCohere('invalid request: valid input_type must be provided with the provided model')
  const { texts } = body
  if (!Array.isArray(texts) || !texts.every(text => typeof text === 'string'))
    refuseCohere('texts are required')
  if (texts.length > 96) refuseCohere('too many texts')
}

export function answerEmbed({ body }: Call, answer: Answer): Rendered {
  const texts = asArray(body.texts).map(String)
  const input = texts.reduce((sum, one) => sum + countTokens(one), 0)
  const billed = editUsage({ input_tokens: input }, answer)
  const meta: JsonObject = {
    api_version: { version: '2' },
    ...(billed !== undefined && { billed_units: billed }),
  }
  const said = {
    id: 'da6e531f-54c5-4a73-bf92-f60566d8d753',
    embeddings: { float: texts.map(one => embed(one, asNumber(body.output_dimension) ?? 8)) },
    texts,
    meta,
    response_type: 'embeddings_by_type',
  }
  return { contentType: 'application/json', body: JSON.stringify(said), tally: { ...NO_TALLY, input } }
}

export function checkRerank({ body }: Call): void {
  const unknown = findUnknown(body, fields('model query documents top_n max_tokens_per_doc priority'))
  if (unknown !== undefined)
    refuseCohere(`unknown field: parameter '${unknown.join('.')}' is not a valid field`)
  if (!asArray(body.documents).every(one => typeof one === 'string'))
    refuseCohere('documents must be strings')
}

/** Longer documents are split, and each part counts as one. */
const PART = 510

/** The longer the document, the better it fits. */
export function answerRerank({ body }: Call): Rendered {
  const results = asArray(body.documents)
    .map((one, index) => ({ index, relevance_score: (asText(one) ?? '').length / 100 }))
    .sort((a, b) => b.relevance_score - a.relevance_score)
    .slice(0, asNumber(body.top_n) ?? 1000)
  const parts = asArray(body.documents).map(one => Math.ceil(countTokens(asText(one) ?? '') / PART) || 1)
  const search_units = Math.ceil(parts.reduce((sum, count) => sum + count, 0) / 100)
  const meta = { api_version: { version: '2' }, billed_units: { search_units } }
  const said = { id: '07734bd2-2473-4f07-94e1-0d9f0e6843cf', results, meta }
  return { contentType: 'application/json', body: JSON.stringify(said), tally: NO_TALLY }
}

export function listModels({ options }: Call): Rendered {
  const models = (options.models ?? ['command-a-03-2025', 'embed-v4.0']).map(name => ({
    name,
    endpoints: ['chat'],
  }))
  return { contentType: 'application/json', body: JSON.stringify({ models }), tally: NO_TALLY }
}
