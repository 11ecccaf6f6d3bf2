import type { TranslateOf } from '../../text.ts'
import type { topUpText } from './catalogue.ts'

const yuan = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** A sum with its currency, by its letters: more than one country's money is written `$` or `¥`. */
export function priceText(
  t: TranslateOf<typeof topUpText>,
  { money, currency }: { money: number | string; currency: string },
): string {
  if (currency === '') return t('price', { price: yuan.format(Number(money)) })
  const style = { style: 'currency', currency, currencyDisplay: 'code' } as const
  return new Intl.NumberFormat('en-US', style).format(Number(money))
}
