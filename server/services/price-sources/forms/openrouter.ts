import * as z from 'zod/mini'
import { readDollars, type Tier } from '../figures.ts'
import type { Offer } from '../offers.ts'
import { anything, dataRows, type Form, isListOf } from './form.ts'

const listed = z.object({
  id: z.string(),
  pricing: z.object({
    prompt: anything,
    completion: anything,
    input_cache_read: anything,
    input_cache_write: anything,
    request: anything,
    overrides: anything,
  }),
})

/** `/api/v1/models`: dollars for a token, as text; the maker's name stands before the model's. */
export const openrouter: Form = {
  name: 'openrouter',
  rows(answer) {
    const rows = dataRows(answer)
    return rows && isListOf(rows, listed) ? rows : undefined
  },
  offers(row) {
    const { data } = listed.safeParse(row)
    if (!data) return []
    const { id, pricing } = data
    const price = priceOf(pricing)
    const named: Offer = { name: id, price, by: 'name' }
    const slash = id.indexOf('/')
    return slash < 0 ? [named] : [named, { name: id.slice(slash + 1), price, by: 'other' }]
  },
}

/** A fee for each call on top of its tokens cannot be told in ratios. */
function priceOf(pricing: z.output<typeof listed>['pricing']): Offer['price'] {
  if (pricing.request && Number(pricing.request) !== 0) return undefined
  return readDollars(
    {
      input: pricing.prompt,
      output: pricing.completion,
      cacheRead: pricing.input_cache_read,
      cacheWrite: pricing.input_cache_write,
      long: tierOf(pricing.overrides),
    },
    'token',
  )
}

const byLength = z.looseObject({ min_prompt_tokens: z.number(), prompt: anything, completion: anything })

/** There is room for one here, and for none that goes by the time of day. */
function tierOf(overrides: unknown): Tier | undefined {
  if (!Array.isArray(overrides) || overrides.length !== 1) return undefined
  const { data } = byLength.safeParse(overrides[0])
  if (!data || Object.keys(data).some(key => /^(utc_|time)/.test(key))) return undefined
  return { over: data.min_prompt_tokens, input: data.prompt, output: data.completion }
}
