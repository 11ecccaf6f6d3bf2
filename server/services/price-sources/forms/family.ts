import * as z from 'zod/mini'
import { readPrice } from '../figures.ts'
import type { Offer } from '../offers.ts'
import { anyMap, anything, dataRows, type Form, isListOf } from './form.ts'

const figures = z.optional(z.nullable(anyMap))
const maps = z.object({
  data: z.object({
    model_ratio: figures,
    completion_ratio: figures,
    cache_ratio: figures,
    create_cache_ratio: figures,
    model_price: figures,
    long_input_ratio: figures,
    long_output_ratio: figures,
    long_input_from: figures,
  }),
})
type Figures = z.output<typeof maps>['data']

/** `/api/ratio_config` of a gateway of the family: a map for each kind of figure. */
export const ratioConfig: Form<{ name: string; said: Record<keyof Figures, unknown> }> = {
  name: 'ratio_config',
  rows(answer) {
    const data = maps.safeParse(answer).data?.data
    if (!data?.model_ratio && !data?.model_price) return undefined
    const names = new Set([...Object.keys(data.model_ratio ?? {}), ...Object.keys(data.model_price ?? {})])
    return [...names].map(name => ({
      name,
      said: {
        model_price: own(data.model_price, name),
        model_ratio: own(data.model_ratio, name),
        completion_ratio: own(data.completion_ratio, name),
        cache_ratio: own(data.cache_ratio, name),
        create_cache_ratio: own(data.create_cache_ratio, name),
        long_input_ratio: own(data.long_input_ratio, name),
        long_output_ratio: own(data.long_output_ratio, name),
        long_input_from: own(data.long_input_from, name),
      },
    }))
  },
  offers: ({ name, said }) => [{ name, price: readPrice(said), by: 'name' }],
}

function own(map: Figures[keyof Figures], name: string): unknown {
  return map && Object.hasOwn(map, name) ? map[name] : undefined
}

const pricedRow = z.object({
  model_name: z.string(),
  quota_type: z.number(),
  model_ratio: anything,
  model_price: anything,
  completion_ratio: anything,
  cache_ratio: anything,
  create_cache_ratio: anything,
  billing_mode: anything,
  long_input: anything,
})

/** `/api/pricing` of one: a row for each model that is on offer there. */
export const pricing: Form = {
  name: 'pricing',
  rows(answer) {
    const rows = dataRows(answer)
    return rows && isListOf(rows, pricedRow) ? rows : undefined
  },
  offers(row) {
    const { data } = pricedRow.safeParse(row)
    return data ? [{ name: data.model_name, price: priceOf(data), by: 'name' }] : []
  },
}

const BY_TOKENS = 0
const BY_CALLS = 1

/** What is billed by a formula has no price that could be said in ratios. */
function priceOf(row: z.output<typeof pricedRow>): Offer['price'] {
  const { quota_type, model_price, model_ratio, completion_ratio, cache_ratio, create_cache_ratio } = row
  if (typeof row.billing_mode === 'string' && /expr|tier/i.test(row.billing_mode)) return undefined
  if (quota_type === BY_CALLS) return readPrice({ model_price })
  if (quota_type !== BY_TOKENS) return undefined
  const usual = { model_ratio, completion_ratio, cache_ratio, create_cache_ratio }
  return readPrice({ ...usual, ...longRatiosOf(row) })
}

const longInput = z.object({ over: z.number(), model_ratio: z.number(), completion_ratio: z.number() })

/** The ratios of long input take the place of the usual ones there; here they are told relative to those. */
function longRatiosOf({ model_ratio, completion_ratio, long_input }: z.output<typeof pricedRow>) {
  const { data: long } = longInput.safeParse(long_input)
  if (!long || !isAbove0(model_ratio)) return {}
  const usual = model_ratio * (isAbove0(completion_ratio) ? completion_ratio : 1)
  return {
    long_input_from: long.over,
    long_input_ratio: rounded(long.model_ratio / model_ratio),
    long_output_ratio: rounded((long.model_ratio * long.completion_ratio) / usual),
  }
}

function isAbove0(value: unknown): value is number {
  return typeof value === 'number' && value > 0
}

/** Without the noise of binary fractions, which the settings would keep for good. */
function rounded(value: number): number {
  return Number(value.toPrecision(15))
}
