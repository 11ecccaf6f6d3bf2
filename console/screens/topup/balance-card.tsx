import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { logTypes } from '../../../contract/log-types.ts'
import { roles } from '../../../contract/users.ts'
import { formatCount } from '../../format.ts'
import { formatQuota } from '../../quota.ts'
import { accountQuery } from '../../self.ts'
import { useUser } from '../../session.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { topUpText } from './catalogue.ts'
import styles from './topup.module.css'

export function BalanceCard() {
  const t = useText(topUpText)
  const status = useStatus()
  const user = useUser()
  const { data } = useQuery(accountQuery(user?.id))
  // Administrators have everybody's calls in their log.
  const ofOwn = user && user.role >= roles.admin ? { user: user.username } : {}
  const amount = (quota: number | undefined) =>
    quota === undefined || !status ? '–' : formatQuota(quota, status)
  return (
    <dl className={styles.balance}>
      <div>
        <dt>{t('balance')}</dt>
        <dd className={styles.large}>{amount(data?.quota)}</dd>
      </div>
      <div>
        <dt>{t('spent')}</dt>
        <dd>
          <Link to="/log" search={{ ...ofOwn, type: logTypes.consumption, start: 0 }}>
            {amount(data?.used_quota)}
          </Link>
        </dd>
      </div>
      <div>
        <dt>{t('requests')}</dt>
        <dd>{data ? formatCount(data.request_count) : '–'}</dd>
      </div>
    </dl>
  )
}
