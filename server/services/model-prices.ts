import type { Text } from '../../contract/language.ts'
import { type SettingKey, settings } from '../../contract/settings/index.ts'
import { builtInPrices } from '../ledger/price/built-in-prices.ts'
import { toNumber } from '../ledger/price/decimal.ts'
import { type PriceBook, type PriceOption, priceBooks, priceOptions } from '../ledger/price/price-book.ts'
import type { App } from './app.ts'
import { type Doer, recordAudit } from './audit-record.ts'

export const modelRatioReset: Text = { zh: '重置模型倍率成功', en: 'The model ratios have been reset' }

/**
 * The price maps as settings screens edit them: what is built in, with the operator's own entries in its
 * place. Written out once for each state of the settings.
 */
export function pricesInForce(app: App): () => ReadonlyMap<SettingKey, string> {
  const books = priceBooks(app.settings)
  let book: PriceBook | undefined
  let texts: ReadonlyMap<SettingKey, string> = new Map()
  return () => {
    const now = books()
    if (book !== now) {
      texts = writeOut(now)
      book = now
    }
    return texts
  }
}

function writeOut(book: PriceBook): ReadonlyMap<SettingKey, string> {
  const options = Object.keys(priceOptions) as PriceOption[]
  return new Map(options.map(option => [option, settings[option].encode(book.inForce(option))]))
}

/** What is in force for a model of which the operator says nothing, as the settings would say it. */
export function builtInMaps(): Record<string, Record<string, number>> {
  return Object.fromEntries(
    Object.entries(priceOptions).map(([option, field]) => [
      option,
      Object.fromEntries(
        [...builtInPrices].flatMap(([model, { [field]: value }]) =>
          value === undefined ? [] : [[model, toNumber(value)]],
        ),
      ),
    ]),
  )
}

/** Forgets the operator's model ratios, and only these; the built-in ones are in force again everywhere. */
export async function resetModelRatio(app: App, doer: Doer): Promise<void> {
  await app.store.change('options', async transaction => {
    await transaction.deleteFrom('options').where('key', '=', 'ModelRatio').execute()
    await recordAudit(app, doer, { action: 'option.reset', subject: 'option:ModelRatio' }, transaction)
  })
}
