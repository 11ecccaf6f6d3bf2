import { asArray, asObject, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseFeature } from '../../dialects/refuse.ts'
import type { PlainConversion } from '../define.ts'
import { asCount } from '../kit/answers/count.ts'

/** It has to be told what the vectors are for; who does not say so stores them. */
const USUAL_PURPOSE = 'search_document'

export const embedConversion: PlainConversion = {
  writeRequest: ({ model, input, dimensions, input_type, truncate }) => ({
    model,
    texts: readTexts(input),
    input_type: typeof input_type === 'string' ? input_type : USUAL_PURPOSE,
    embedding_types: ['float'],
    ...(dimensions !== undefined && { output_dimension: dimensions }),
    ...(typeof truncate === 'string' && { truncate }),
  }),
  readAnswer(body, { model }) {
    const vectors = asObject(body.embeddings)?.float
    if (!Array.isArray(vectors)) return undefined
    const billed = asObject(asObject(body.meta)?.billed_units)
    const tokens = asCount(billed?.input_tokens)
    const answer: JsonObject = {
      object: 'list',
      data: asArray(vectors).map((embedding, index) => ({ object: 'embedding', index, embedding })),
      model,
    }
    if (tokens !== undefined) answer.usage = { prompt_tokens: tokens, total_tokens: tokens }
    return answer
  },
}

function readTexts(input: Json | undefined): string[] {
  const inputs = Array.isArray(input) ? input : [input]
  return inputs.map(one => {
    if (typeof one !== 'string') refuseFeature('feature.token-input')
    return one
  })
}
