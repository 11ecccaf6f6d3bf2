import { asArray, asObject } from '../../dialects/json.ts'
import type { PlainConversion } from '../define.ts'
import { asCount } from '../kit/answers/count.ts'

export const embedConversion: PlainConversion = {
  writeRequest: ({ input = '' }) => ({ InputList: Array.isArray(input) ? input : [input] }),
  readAnswer(body, { model }) {
    const response = asObject(body.Response) ?? body
    if (!Array.isArray(response.Data)) return undefined
    const tokens = asCount(asObject(response.Usage)?.TotalTokens)
    const data = asArray(response.Data).map((one, index) => ({
      object: 'embedding',
      index,
      embedding: asObject(one)?.Embedding ?? [],
    }))
    const usage = tokens === undefined ? undefined : { prompt_tokens: tokens, total_tokens: tokens }
    return { object: 'list', data, model, ...(usage && { usage }) }
  },
}
