import { asArray, type JsonObject } from '../../dialects/json.ts'
import type { PlainConversion } from '../define.ts'
import { asCount } from '../kit/answers/count.ts'

export const embedConversion: PlainConversion = {
  writeRequest: ({ model, input, dimensions }) => ({
    model,
    input,
    ...(dimensions !== undefined && { dimensions }),
  }),
  readAnswer(body) {
    if (!Array.isArray(body.embeddings)) return undefined
    const tokens = asCount(body.prompt_eval_count)
    const answer: JsonObject = {
      object: 'list',
      data: asArray(body.embeddings).map((embedding, index) => ({ object: 'embedding', index, embedding })),
      model: body.model,
    }
    if (tokens) answer.usage = { prompt_tokens: tokens, total_tokens: tokens }
    return answer
  },
}
