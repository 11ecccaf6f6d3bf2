import * as z from 'zod/mini'
import { readDollars } from '../figures.ts'
import { isMaker, type Offer } from '../offers.ts'
import { anyMap, anything, entriesOf, type Form, isListOf } from './form.ts'

const figures = z.object({
  input: anything,
  output: anything,
  cache_read: anything,
  cache_write: anything,
})
const model = z.object({ cost: z.optional(z.nullable(figures)) })
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
  return readDollars({ input, output, cacheRead: cache_read, cacheWrite: cache_write }, 'million')
}
