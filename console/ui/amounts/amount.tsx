import type { StatusDocument } from '../../../contract/system.ts'
import { formatQuota } from '../../quota.ts'
import { copyText } from '../content/copy.ts'
import styles from './amount.module.css'
import { shortQuota } from './amount-text.ts'

interface AmountProps {
  quota: number
  status: StatusDocument | undefined
  /** How many letters the column has room for. */
  room: number
  /** After the point; cents when not given. */
  digits?: number
}

const CENTS = 2

/** A balance in a column. What is too long for it is shortened there: the whole is its name, and a click copies it. */
export function Amount({ quota, status, room, digits = CENTS }: AmountProps) {
  if (!status) return ''
  const whole = formatQuota(quota, status, digits)
  if (whole.length <= room) return whole
  const inCents = formatQuota(quota, status, CENTS)
  return (
    <button
      type="button"
      className={styles.amount}
      title={whole}
      aria-label={whole}
      onClick={() => copyText(whole)}
    >
      <span className={styles.short}>{inCents.length <= room ? inCents : shortQuota(quota, status)}</span>
      <span className={styles.whole}>{whole}</span>
    </button>
  )
}
