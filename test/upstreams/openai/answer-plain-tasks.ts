import { asArray, asFlag, asNumber, asObject, asText, type Json } from '../../../server/dialects/json.ts'
import { countTokens } from '../reply.ts'
import type { Answer } from '../script.ts'
import { fields } from '../shape.ts'
import { NO_TALLY } from '../tally.ts'
import type { Call, Rendered } from '../upstream.ts'
import { CREATED, editUsage } from '../write-frames.ts'
import { checkModel } from './check-fields.ts'
import { refuseOpenai } from './fail.ts'

const JSON_TYPE = 'application/json'

export function answerModels(call: Call): Rendered {
  const ids = call.options.models ?? ['gpt-4o', 'gpt-5.5', 'text-embedding-3-small']
  const data = ids.map(id => ({ id, object: 'model', created: CREATED, owned_by: 'system' }))
  return { contentType: JSON_TYPE, body: JSON.stringify({ object: 'list', data }), tally: NO_TALLY }
}

export function checkModerations(call: Call): void {
  const unknown = Object.keys(call.body).find(name => name !== 'input' && name !== 'model')
  if (unknown !== undefined) refuseOpenai(`Unrecognized request argument supplied: ${unknown}`)
  if (!call.body.input)
    refuseOpenai("Missing required parameter: 'input'.", 'input', 'missing_required_parameter')
}

const CATEGORIES = ['harassment', 'hate', 'illicit', 'self-harm', 'sexual', 'violence']

/** Flags violence where the text says so. */
export function answerModerations(call: Call): Rendered {
  const { input, model = 'omni-moderation-latest' } = call.body
  const inputs = typeof input === 'string' ? [input] : asArray(input).map(readModerated)
  const results = inputs.map(text => {
    const hit = (name: string) => text.includes(name)
    return {
      flagged: CATEGORIES.some(hit),
      categories: Object.fromEntries(CATEGORIES.map(name => [name, hit(name)])),
      category_scores: Object.fromEntries(CATEGORIES.map(name => [name, hit(name) ? 0.98 : 0.0001])),
      category_applied_input_types: Object.fromEntries(CATEGORIES.map(name => [name, ['text']])),
    }
  })
  const body = { id: call.newId('modr-', 8), model, results }
  return { contentType: JSON_TYPE, body: JSON.stringify(body), tally: NO_TALLY }
}

function readModerated(one: Json): string {
  return typeof one === 'string' ? one : (asText(asObject(one)?.text) ?? '')
}

const RERANK = fields(
  'model query documents top_n return_documents max_chunks_per_doc overlap_tokens instruction',
)

export function checkRerank(call: Call): void {
  const unknown = Object.keys(call.body).find(name => !(name in RERANK))
  if (unknown !== undefined) refuseOpenai(`Unrecognized request argument supplied: ${unknown}`)
  checkModel(call)
  if (typeof call.body.query !== 'string') refuseOpenai('query is required', 'query')
  if (asArray(call.body.documents).length === 0) refuseOpenai('documents is required', 'documents')
}

/** The more words of the query a document has, the better it fits. */
export function answerRerank(call: Call, answer: Answer): Rendered {
  const { body } = call
  const words = (asText(body.query) ?? '').toLowerCase().split(/\s+/)
  const documents = asArray(body.documents).map(one =>
    typeof one === 'string' ? one : (asText(asObject(one)?.text) ?? ''),
  )
  const wantsDocuments = asFlag(body.return_documents) ?? false
  const results = documents
    .map((text, index) => {
      const hits = words.filter(word => text.toLowerCase().includes(word)).length
      const document = wantsDocuments ? { document: { text } } : {}
      return { index, relevance_score: hits / words.length, ...document }
    })
    .sort((a, b) => b.relevance_score - a.relevance_score || a.index - b.index)
    .slice(0, asNumber(body.top_n) ?? documents.length)
  const input = countTokens(`${body.query}${documents.join('')}`)
  const usage = editUsage({ total_tokens: input }, answer)
  const counted =
    usage === undefined ? {} : { usage, meta: { tokens: { input_tokens: input, output_tokens: 0 } } }
  const said = { id: call.newId('rerank-', 8), model: body.model, results, ...counted }
  return { contentType: JSON_TYPE, body: JSON.stringify(said), tally: { ...NO_TALLY, input } }
}
