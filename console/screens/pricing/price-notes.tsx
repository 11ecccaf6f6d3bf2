import type { OutputOf } from '../../../contract/endpoint.ts'
import type { pricingEndpoints } from '../../../contract/pricing.ts'
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
  return (
    <div className={styles.tools}>
      {tools !== '' && <p>{t('tools', { prices: tools })}</p>}
      {pricing.batch_ratio !== 1 && <p>{t('batch', { ratio: pricing.batch_ratio })}</p>}
      {pricing.inference_geo_ratio !== 1 && <p>{t('geo', { ratio: pricing.inference_geo_ratio })}</p>}
      {pricing.answer_cache_ratio !== undefined && <p>{t('kept', { ratio: pricing.answer_cache_ratio })}</p>}
    </div>
  )
}
