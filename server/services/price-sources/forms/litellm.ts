import * as z from 'zod/mini'
import { readDollars, readPrice, type Tier } from '../figures.ts'
import { isMaker, type Offer } from '../offers.ts'
import { anything, entriesOf, type Form, isListOf } from './form.ts'

const entry = z.looseObject({
  litellm_provider: z.string(),
  input_cost_per_token: anything,
  output_cost_per_token: anything,
  cache_read_input_token_cost: anything,
  cache_creation_input_token_cost: anything,
  input_cost_per_request: anything,
  ocr_cost_per_page: anything,
})

/** Stands there to explain the rest. */
const SAMPLE = 'sample_spec'

/** `model_prices_and_context_window.json`: dollars for a token, by model; most have their seller's name before them. */
export const litellm: Form<[string, unknown]> = {
  name: 'litellm',
  rows(answer) {
    const entries = entriesOf(answer)?.filter(([name]) => name !== SAMPLE)
    return entries &&
      isListOf(
        entries.map(([, said]) => said),
        entry,
      )
      ? entries
      : undefined
  },
  offers([name, said]) {
    const { data } = entry.safeParse(said)
    if (!data) return []
    const price = priceOf(data)
    const slash = name.indexOf('/')
    const [seller, model] = [name.slice(0, Math.max(slash, 0)), name.slice(slash + 1)]
    const named: Offer = { name, price, by: 'name' }
    return isMaker(seller, model) ? [named, { name: model, price, by: 'other' }] : [named]
  },
}

/** A fee for each call on top of its tokens cannot be told in ratios. What is paid by the page is paid by the call here. */
function priceOf(said: z.output<typeof entry>): Offer['price'] {
  if (said.input_cost_per_request) return undefined
  if (said.ocr_cost_per_page) return readPrice({ model_price: said.ocr_cost_per_page })
  return readDollars(
    {
      input: said.input_cost_per_token,
      output: said.output_cost_per_token,
      cacheRead: said.cache_read_input_token_cost,
      cacheWrite: said.cache_creation_input_token_cost,
      long: tierOf(said),
    },
    'token',
  )
}

/** The length stands in the name of the field; what follows it is for other kinds of service. */
const tierField = /^(?:in|out)put_cost_per_token_above_(\d{1,6})k_tokens$/

/** There is room for one here: of those that ask by several steps only the first price is known. */
function tierOf(said: z.output<typeof entry>): Tier | undefined {
  const lengths = new Set<string>()
  for (const [field, value] of Object.entries(said)) {
    const [, thousands] = tierField.exec(field) ?? []
    if (thousands !== undefined && value !== null) lengths.add(thousands)
  }
  const [thousands, ...others] = lengths
  if (thousands === undefined || others.length > 0) return undefined
  return {
    over: Number(thousands) * 1000,
    input: said[`input_cost_per_token_above_${thousands}k_tokens`],
    output: said[`output_cost_per_token_above_${thousands}k_tokens`],
  }
}
