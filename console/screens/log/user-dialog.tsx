import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { userAdminEndpoints } from '../../../contract/user-admin.ts'
import { call } from '../../api.ts'
import { formatCount } from '../../format.ts'
import { formatQuota } from '../../quota.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { GroupTag } from '../../ui/content/group-tag.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { logText } from './catalogue.ts'
import styles from './log.module.css'

/** Whose row it is, without leaving the log. */
export default function UserDialog({ id, close }: { id: number; close(): void }) {
  const t = useText(logText)
  const status = useStatus()
  const { data, error, refetch } = useQuery({
    queryKey: ['users', 'one', String(id)],
    queryFn: ({ signal }) => call(userAdminEndpoints.getUser, { params: { id }, signal }),
  })
  const amount = (quota: number) => (status ? formatQuota(quota, status) : '')
  return (
    <Dialog opened onClose={close} title={t('userInfo')} size={400}>
      {error ? (
        <LoadFailure error={error} retry={refetch} />
      ) : data ? (
        <>
          <dl className={styles.facts}>
            <dt>{t('username')}</dt>
            <dd>{data.username}</dd>
            <dt>{t('balance')}</dt>
            <dd>{amount(data.quota)}</dd>
            <dt>{t('used')}</dt>
            <dd>{amount(data.used_quota)}</dd>
            <dt>{t('requests')}</dt>
            <dd>{formatCount(data.request_count)}</dd>
            <dt>{t('group')}</dt>
            <dd>
              <GroupTag name={data.group} />
            </dd>
          </dl>
          <p className={styles.userLinks}>
            <Link
              to="/log"
              search={before => ({ ...before, p: undefined, user: data.username })}
              onClick={close}
            >
              {t('onlyUser')}
            </Link>
            <Link to="/user/edit/$id" params={{ id: String(id) }}>
              {t('edit')}
            </Link>
          </p>
        </>
      ) : (
        <Skeleton rows={5} />
      )}
    </Dialog>
  )
}
