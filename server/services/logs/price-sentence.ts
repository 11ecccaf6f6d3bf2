import { logTypes } from '../../../contract/log-types.ts'
import type { Logs } from '../../store/log-schema.ts'

type Charged = Pick<Logs, 'type' | 'other' | 'prompt_tokens' | 'completion_tokens'>

/**
 * How a call was charged, in the words that clients of the family look for. Rows tell it in figures, and only
 * whoever reads one needs the sentence: it is in no database.
 */
export function priceSentence({ type, other, prompt_tokens, completion_tokens }: Charged): string {
  if (type !== logTypes.consumption || !other.startsWith('{')) return ''
  const { model_ratio, model_price, completion_ratio, group_ratio, ...rest } = readFigures(other)
  if (group_ratio === undefined) return ''
  const parts = `${tell('缓存回答倍率', rest.answer_cache_ratio)}${tell('批处理倍率', rest.batch_ratio)}`
  const group = `分组倍率 ${group_ratio.toFixed(2)}${parts}`
  if (model_price !== undefined && model_price >= 0) return `模型价格 ${model_price.toFixed(2)}，${group}`
  if (model_ratio === undefined) return ''
  const doubt = prompt_tokens + completion_tokens === 0 ? '（可能是上游超时）' : ''
  return `模型倍率 ${model_ratio.toFixed(2)}，补全倍率 ${(completion_ratio ?? 1).toFixed(2)}，${group}${doubt}`
}

function tell(name: string, ratio: number | undefined): string {
  return ratio === undefined ? '' : `，${name} ${ratio.toFixed(2)}`
}

type Figures = Partial<
  Record<
    'model_ratio' | 'model_price' | 'completion_ratio' | 'group_ratio' | 'answer_cache_ratio' | 'batch_ratio',
    number | undefined
  >
>

/** Rows of other programs may hold anything. */
function readFigures(other: string): Figures {
  try {
    const fields = Object.entries(JSON.parse(other) as object)
    return Object.fromEntries(fields.filter(([, value]) => typeof value === 'number'))
  } catch {
    return {}
  }
}
