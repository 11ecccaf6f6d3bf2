import type { ComparedModel, ListedPrice } from '../../../contract/price-sources.ts'
import { divide, exact, multiply, toNumber } from '../../ledger/price/decimal.ts'
import { type PriceBook, priceBooks } from '../../ledger/price/price-book.ts'
import type { RatioPrice } from '../../ledger/price/price-snapshot.ts'
import type { App } from '../app.ts'
import { mapInTurns } from '../give-way.ts'
import { enabledModels } from '../usable-groups.ts'
import { isSamePrice } from './figures.ts'
import type { PriceList } from './offers.ts'

/** The models whose price there is another than here; what is served comes first, and of that what has none. */
export async function compareWith(app: App, { prices }: PriceList): Promise<ComparedModel[]> {
  const served = new Set([...(await enabledModels(app)()).values()].flatMap(models => [...models]))
  const book = priceBooks(app.settings)()
  const rows = await mapInTurns([...prices], ([model, theirs]): ComparedModel[] => {
    const own = ownPrice(book, model)
    return isSamePrice(own, theirs) ? [] : [{ model, served: served.has(model), own, theirs }]
  })
  const rank = ({ served, own }: ComparedModel): number => (served ? 0 : 2) + (own === null ? 0 : 1)
  return rows.flat().sort((a, b) => rank(a) - rank(b) || (a.model < b.model ? -1 : 1))
}

/** What is in force for a model before any group's ratio, as numbers that the settings can hold. */
export function ownPrice(book: PriceBook, model: string): ListedPrice | null {
  const price = book.findPrice(model)
  if (!price) return null
  if (price.kind === 'call') return { model_price: toNumber(price.price) }
  return {
    model_ratio: toNumber(price.modelRatio),
    completion_ratio: toNumber(price.completionRatio),
    cache_ratio: toNumber(price.cacheRatio),
    create_cache_ratio: toNumber(price.cacheWriteRatio),
    ...longRatiosOf(price),
  }
}

/** What becomes of input and output when the input is long, relative to their usual price. */
function longRatiosOf({ modelRatio, completionRatio, long }: RatioPrice): ListedPrice {
  if (!long || modelRatio === 0) return {}
  const input = divide(long.modelRatio, modelRatio)
  const output =
    completionRatio === 0 ? input : multiply(input, divide(long.completionRatio, completionRatio))
  return {
    long_input_ratio: toNumber(exact(input)),
    long_output_ratio: toNumber(exact(output)),
    long_input_from: long.over,
  }
}
