import { Fragment } from 'react'
import type { LogView } from '../../../contract/logs.ts'
import type { StatusDocument } from '../../../contract/system.ts'
import { formatCount } from '../../format.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { compareWithCharged } from '../../ui/amounts/charge.ts'
import { LedgerLine } from '../../ui/amounts/ledger-line.tsx'
import { logText } from './catalogue.ts'
import { formatCharge } from './columns.tsx'
import styles from './log.module.css'
import { chargeOf, readOther } from './read-other.ts'

/** How the charge came about. Where the arithmetic does not come to what was charged, that is said. */
export function Billing({ row }: { row: LogView }) {
  const t = useText(logText)
  const status = useStatus()
  const charge = status && chargeOf(row, status.quota_per_unit)
  if (status && readOther(row).batchModels.length > 0) return <BillingByModel row={row} status={status} />
  if (!charge) return null
  const { fit, sum, difference } = compareWithCharged(charge, row.quota)
  const quota = formatCount(row.quota)
  const { cost, numbers } = readOther(row)
  const longFrom = numbers.long_input_over
  return (
    <section className={styles.billing}>
      <h2 className={styles.heading}>{t('billing')}</h2>
      <LedgerLine {...charge} small total={`$${(row.quota / status.quota_per_unit).toFixed(6)}`} />
      {fit === 'exact' && <p className={styles.note}>{t('billedExactly', { quota })}</p>}
      {fit === 'rounded' && <p className={styles.note}>{t('billedRounded', { sum: short(sum), quota })}</p>}
      {fit === 'other' && (
        <p className={`${styles.note} ${styles.differs}`}>
          {t('billedOtherwise', {
            sum: short(sum),
            quota,
            difference: `${difference > 0 ? '+' : '−'}${short(Math.abs(difference))}`,
          })}
        </p>
      )}
      {longFrom !== undefined && (
        <p className={styles.note}>{t('billedAsLong', { tokens: formatCount(longFrom) })}</p>
      )}
      <Margin cost={cost} quota={row.quota} status={status} />
    </section>
  )
}

/** A batch that asked several models: each had its own price, so there is no arithmetic of all. */
function BillingByModel({ row, status }: { row: LogView; status: StatusDocument }) {
  const t = useText(logText)
  const { batchModels, cost } = readOther(row)
  return (
    <section className={styles.billing}>
      <h2 className={styles.heading}>{t('billing')}</h2>
      <dl className={styles.facts}>
        {batchModels.map(({ model, requests, prompt, completion, quota }) => (
          <Fragment key={model}>
            <dt>{formatCharge(quota, status)}</dt>
            <dd>
              <span className={styles.mono}>{model}</span>
              {' · '}
              {t('batchShare', {
                requests,
                prompt: formatCount(prompt),
                completion: formatCount(completion),
              })}
            </dd>
          </Fragment>
        ))}
      </dl>
      <p className={styles.note}>{t('billedExactly', { quota: formatCount(row.quota) })}</p>
      <Margin cost={cost} quota={row.quota} status={status} />
    </section>
  )
}

interface MarginProps {
  readonly cost: number | undefined
  readonly quota: number
  readonly status: StatusDocument
}

function Margin({ cost, quota, status }: MarginProps) {
  const t = useText(logText)
  if (cost === undefined) return null
  return (
    <p className={quota < cost ? `${styles.note} ${styles.differs}` : styles.note}>
      {t('costAndMargin', {
        cost: formatCharge(cost, status),
        margin: formatCharge(quota - cost, status),
      })}
    </p>
  )
}

const parts = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 })
const wholes = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 })

function short(quota: number): string {
  return (quota < 1 ? parts : wholes).format(quota)
}
