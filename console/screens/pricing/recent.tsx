import type { RecentCalls } from '../../../contract/pricing.ts'
import { formatMilliseconds } from '../../format.ts'
import { useText } from '../../text.ts'
import { pricingText } from './catalogue.ts'
import styles from './pricing.module.css'

/** How a model did in the last day, for whoever wonders whether to rely on it. */
export function Recent({ recent }: { recent: RecentCalls | null }) {
  const t = useText(pricingText)
  return (
    <section>
      <h2 className={styles.heading}>{t('recent')}</h2>
      {recent ? (
        <p className={styles.line}>
          {t('succeeded', { percent: Math.round(recent.success * 100) })}
          {recent.first_token !== null &&
            ` · ${t('begins', { time: formatMilliseconds(recent.first_token) })}`}
          {recent.latency !== null && ` · ${t('ends', { time: formatMilliseconds(recent.latency) })}`}
        </p>
      ) : (
        <p className={styles.muted}>{t('tooFew')}</p>
      )}
    </section>
  )
}
