import * as z from 'zod/mini'
import { readDollars, type Tier } from '../figures.ts'
import { isMaker, type Offer } from '../offers.ts'
import { anyMap, anything, entriesOf, type Form, isListOf } from './form.ts'

const figures = z.object({
  input: anything,
  output: anything,
  cache_read: anything,
  cache_write: anything,
})
const tier = z.object({
  input: anything,
  output: anything,
  tier: z.object({ type: z.string(), size: anything }),
})
const cost = z.extend(figures, {
  tiers: z.optional(z.nullable(z.array(z.unknown()))),
  context_over_200k: z.optional(z.nullable(figures)),
})
const model = z.object({ cost: z.optional(z.nullable(cost)) })
const seller = z.object({ models: anyMap })

/** `api.json`: sellers and what each of them has, in dollars for a million tokens. */
export const modelsDev: Form<{ seller: string; name: string; said: unknown }> = {
  name: 'models.dev',
  rows(answer) {
    const sellers = entriesOf(answer)
    if (
      !sellers ||
      !isListOf(
        sellers.map(([, said]) => said),
        seller,
      )
    )
      return undefined
    return sellers.flatMap(([id, said]) =>
      Object.entries(seller.safeParse(said).data?.models ?? {}).map(([name, said]) => ({
        ...{ seller: id, name, said },
      })),
    )
  },
  offers({ seller, name, said }) {
    const { data } = model.safeParse(said)
    return data ? [{ name, price: priceOf(data), by: isMaker(seller, name) ? 'name' : 'other' }] : []
  },
}

function priceOf({ cost }: z.output<typeof model>): Offer['price'] {
  if (!cost) return undefined
  const { input, output, cache_read, cache_write } = cost
  const rest = { cacheRead: cache_read, cacheWrite: cache_write, long: tierOf(cost) }
  return readDollars({ input, output, ...rest }, 'million')
}

/** `tiers` go before the older field, which says 200,000 also of models whose input is long later. */
function tierOf({ tiers, context_over_200k: older }: z.output<typeof cost>): Tier | undefined {
  if (!tiers) return older ? { over: 200_000, input: older.input, output: older.output } : undefined
  const [first, ...others] = tiers
  const { data } = tier.safeParse(first)
  // There is room for one here, and for none that goes by something else than the input.
  if (!data || others.length > 0 || data.tier.type !== 'context') return undefined
  return { over: data.tier.size, input: data.input, output: data.output }
}
