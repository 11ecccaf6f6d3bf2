import { useQuery } from '@tanstack/react-query'
import { formatCount } from '../../format.ts'
import { formatQuota, shortNumber } from '../../quota.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { logText } from './catalogue.ts'
import styles from './log.module.css'
import type { LogSearch } from './log-search.ts'
import { logStatQuery } from './logs-query.ts'

/** What the shown rows cost in all, and how much goes through at the moment. */
export function Badges({ search, isAdmin }: { search: LogSearch; isAdmin: boolean }) {
  const t = useText(logText)
  const status = useStatus()
  const { data } = useQuery(logStatQuery(search, isAdmin))
  return (
    <dl className={styles.badges}>
      <Badge
        name={t('consumed')}
        value={
          data && status
            ? formatQuota(data.quota, status, data.quota > 0 && data.quota < status.quota_per_unit ? 6 : 2)
            : '–'
        }
      />
      <Badge name="RPM" value={data ? shortNumber(data.rpm) : '–'} title={data && formatCount(data.rpm)} />
      <Badge name="TPM" value={data ? shortNumber(data.tpm) : '–'} title={data && formatCount(data.tpm)} />
    </dl>
  )
}

function Badge({ name, value, title }: { name: string; value: string; title?: string | undefined }) {
  return (
    <div className={styles.badge} title={title}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
