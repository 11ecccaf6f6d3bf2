import { asArray, asNumber, asObject, asText, type Json } from '../../dialects/json.ts'
import type { PlainConversion } from '../define.ts'
import { asCount } from '../kit/answers/count.ts'

/** It takes texts only, gives none back, and counts searches instead of tokens. */
export const rerankConversion: PlainConversion = {
  writeRequest: ({ model, query, documents, top_n, max_tokens_per_doc }) => ({
    model,
    query,
    documents: asArray(documents).map(textOf),
    ...(top_n !== undefined && { top_n }),
    ...(max_tokens_per_doc !== undefined && { max_tokens_per_doc }),
  }),
  readAnswer(body, fields) {
    if (!Array.isArray(body.results)) return undefined
    const documents = fields.return_documents === true ? asArray(fields.documents) : []
    const results = asArray(body.results).flatMap(value => {
      const index = asCount(asObject(value)?.index)
      const score = asNumber(asObject(value)?.relevance_score)
      if (index === undefined || score === undefined) return []
      const document = documents[index]
      const shown = document === undefined ? {} : { document: { text: textOf(document) } }
      return [{ index, relevance_score: score, ...shown }]
    })
    const search_units = asCount(asObject(asObject(body.meta)?.billed_units)?.search_units)
    const meta = search_units === undefined ? {} : { meta: { billed_units: { search_units } } }
    return { id: body.id, model: fields.model, results, ...meta }
  },
}

function textOf(document: Json): string {
  if (typeof document === 'string') return document
  return asText(asObject(document)?.text) ?? JSON.stringify(document)
}
