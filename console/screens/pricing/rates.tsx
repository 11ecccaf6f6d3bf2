import type { PricedModel } from '../../../contract/pricing.ts'
import { formatCount } from '../../format.ts'
import { formatPrice, longPriceOf, priceOf } from '../../price-of.ts'
import { useText } from '../../text.ts'
import { useLedgerWords } from '../../ui/amounts/ledger-words.ts'
import { pricingText } from './catalogue.ts'
import styles from './pricing.module.css'

const kinds = [
  'prompt',
  'completion',
  'cacheRead',
  'cacheWrite',
  'cacheWriteHour',
  'image',
  'audio',
  'audioOutput',
] as const

/** Everything that a million tokens of a model can cost, as usual and with long input. */
export function Rates({ model, groupRatio }: { model: PricedModel; groupRatio: number }) {
  const t = useText(pricingText)
  const words = useLedgerWords()
  const usual = priceOf(model, groupRatio)
  const long = longPriceOf(model, groupRatio)
  const shown = kinds.filter(kind => usual[kind] !== undefined || long?.[kind] !== undefined)
  // What has no price of its own costs what other input does, or other output.
  const cost = (price: typeof usual, kind: (typeof kinds)[number]) =>
    formatPrice(price[kind] ?? (kind === 'audioOutput' ? price.completion : price.prompt))
  return (
    <table className={styles.rates}>
      <thead>
        <tr>
          <th scope="col">{t('rates')}</th>
          <th scope="col">{long ? t('upTo', { tokens: formatCount(long.over) }) : t('price')}</th>
          {long && <th scope="col">{t('beyond', { tokens: formatCount(long.over) })}</th>}
        </tr>
      </thead>
      <tbody>
        {shown.map(kind => (
          <tr key={kind}>
            <th scope="row">{words(kind)}</th>
            <td>{cost(usual, kind)}</td>
            {long && <td>{cost(long, kind)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
