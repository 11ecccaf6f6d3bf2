import type { StatusDocument } from '../../../contract/system.ts'
import styles from './topup.module.css'

/** As high as what comes, the captcha with it. */
export function CheckInPlace({ status }: { status: StatusDocument }) {
  return <div className={styles.checkIn} data-captcha={status.turnstile_check || undefined} data-loading />
}
