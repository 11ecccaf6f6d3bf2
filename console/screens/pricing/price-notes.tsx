import type { OutputOf } from '../../../contract/endpoint.ts'
import type { pricingEndpoints } from '../../../contract/pricing.ts'
import { formatRatio } from '../../format.ts'
import { useText } from '../../text.ts'
import { pricingText } from './catalogue.ts'
import styles from './pricing.module.css'
import { sayToolPrices } from './tool-prices.ts'

interface PriceNotesProps {
  pricing: OutputOf<typeof pricingEndpoints.pricing>
  groupRatio: number
}

/** What costs something whatever the model. */
export function PriceNotes({ pricing, groupRatio }: PriceNotesProps) {
  const t = useText(pricingText)
  const tools = sayToolPrices(pricing, groupRatio)
  const note = (word: 'batch' | 'geo', ratio: number) =>
    ratio !== 1 && <p>{t(word, { ratio: formatRatio(ratio) })}</p>
  return (
    <div className={styles.tools}>
      {tools !== '' && <p>{t('tools', { prices: tools })}</p>}
      {note('batch', pricing.batch_ratio)}
      {note('geo', pricing.inference_geo_ratio)}
      {pricing.answer_cache_ratio !== undefined && (
        <p>{t('kept', { ratio: formatRatio(pricing.answer_cache_ratio) })}</p>
      )}
    </div>
  )
}
