import { asArray, asObject } from '../../dialects/json.ts'
import type { PlainConversion } from '../define.ts'
import { asCount } from '../kit/answers/count.ts'

/** The first API takes a list, also of one. */
export const embedConversion: PlainConversion = {
  writeRequest: ({ input = '' }) => ({ input: Array.isArray(input) ? input : [input] }),
  readAnswer(body, { model }) {
    if (!Array.isArray(body.data)) return undefined
    const tokens = asCount(asObject(body.usage)?.total_tokens)
    const data = asArray(body.data).map((one, index) => ({
      object: 'embedding',
      index,
      embedding: asObject(one)?.embedding ?? [],
    }))
    const usage = tokens === undefined ? undefined : { prompt_tokens: tokens, total_tokens: tokens }
    return { object: 'list', data, model, ...(usage && { usage }) }
  },
}
