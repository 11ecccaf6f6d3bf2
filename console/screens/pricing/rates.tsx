import type { PricedModel } from '../../../contract/pricing.ts'
import { writesNothing } from '../../clients/chat-models.ts'
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
  const writes = !writesNothing(model.model_name)
  const shown = kinds.filter(
    kind => (writes || kind !== 'completion') && (usual[kind] !== undefined || long?.[kind] !== undefined),
  )
  // What has no price of its own costs what other input does, or other output.
  const cost = (price: typeof usual, kind: (typeof kinds)[number]) =>
    formatPrice(price[kind] ?? (kind === 'audioOutput' ? price.completion : price.prompt))
  // No table: inside of one it would be taken for a part of it.
  return (
    <dl className={styles.rates} data-long={long !== undefined || undefined}>
      <div>
        <dt>{t('rates')}</dt>
        <dd>{long ? t('upTo', { tokens: formatCount(long.over) }) : t('price')}</dd>
        {long && <dd>{t('beyond', { tokens: formatCount(long.over) })}</dd>}
      </div>
      {shown.map(kind => (
        <div key={kind}>
          <dt>{words(kind)}</dt>
          <dd>{cost(usual, kind)}</dd>
          {long && <dd>{cost(long, kind)}</dd>}
        </div>
      ))}
    </dl>
  )
}
