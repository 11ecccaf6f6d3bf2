import * as z from 'zod/mini'
import { readDollars } from '../figures.ts'
import { isMaker, type Offer } from '../offers.ts'
import { anything, entriesOf, type Form, isListOf } from './form.ts'

const entry = z.object({
  litellm_provider: z.string(),
  input_cost_per_token: anything,
  output_cost_per_token: anything,
  cache_read_input_token_cost: anything,
  cache_creation_input_token_cost: anything,
  input_cost_per_request: anything,
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

/** A fee for each call on top of its tokens cannot be told in ratios. */
function priceOf(said: z.output<typeof entry>): Offer['price'] {
  if (said.input_cost_per_request) return undefined
  return readDollars(
    {
      input: said.input_cost_per_token,
      output: said.output_cost_per_token,
      cacheRead: said.cache_read_input_token_cost,
      cacheWrite: said.cache_creation_input_token_cost,
    },
    'token',
  )
}
