import { asArray, asNumber, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import type { PlainConversion } from '../define.ts'
import { asCount } from '../kit/answers/count.ts'

export const rerankConversion: PlainConversion = {
  writeRequest({ model, query, documents, top_n, return_documents, instruct }) {
    return {
      model,
      input: { query, documents: asArray(documents).map(textOf) },
      parameters: {
        ...(top_n !== undefined && { top_n }),
        return_documents: return_documents === true,
        ...(instruct !== undefined && { instruct }),
      },
    }
  },
  readAnswer({ output, usage, request_id }, { model }) {
    const found = asObject(output)?.results
    if (!Array.isArray(found)) return undefined
    const tokens = asCount(asObject(usage)?.total_tokens)
    return {
      id: asText(request_id),
      model,
      results: found.flatMap(readResult),
      ...(tokens !== undefined && { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
    }
  },
}

/** Documents of words alone; Jina's clients may name them. */
function textOf(document: Json): Json {
  const { text, ...more } = asObject(document) ?? {}
  return text !== undefined && Object.keys(more).length === 0 ? text : document
}

function readResult(value: Json): JsonObject[] {
  const { index, relevance_score, document } = asObject(value) ?? {}
  if (asCount(index) === undefined || asNumber(relevance_score) === undefined) return []
  return [{ index, relevance_score, ...(asObject(document) && { document }) }]
}
