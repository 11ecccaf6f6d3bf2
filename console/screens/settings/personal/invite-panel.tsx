import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { accountEndpoints } from '../../../../contract/accounts.ts'
import type { StatusDocument } from '../../../../contract/system.ts'
import type { UserView } from '../../../../contract/users.ts'
import { call } from '../../../api.ts'
import { formatCount } from '../../../format.ts'
import { publicAddress } from '../../../public-address.ts'
import { formatQuota } from '../../../quota.ts'
import { useText } from '../../../text.ts'
import { CopyButton } from '../../../ui/content/copy-button.tsx'
import { TextInput } from '../../../ui/fields/fields.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import { LoadFailure } from '../../../ui/page/load-failure.tsx'
import { personalText } from './catalogue.ts'
import { Figure, Panel } from './panel.tsx'
import styles from './personal.module.css'

const TransferDialog = lazyPart(() => import('./transfer-dialog.tsx'))

export function InvitePanel({ user, status }: { user: UserView; status: StatusDocument }) {
  const t = useText(personalText)
  const [transferring, setTransferring] = useState(false)
  const {
    data: code,
    error,
    refetch,
  } = useQuery({
    queryKey: ['invite-code', user.id],
    queryFn: ({ signal }) => call(accountEndpoints.inviteCode, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  // Who is invited may be elsewhere than whoever invites, who has come by an address of the house perhaps.
  const link = code === undefined ? '' : `${publicAddress(status.server_address)}/register?aff=${code}`
  return (
    <Panel
      title={t('invite.title')}
      lead={t('invite.lead')}
      action={
        <Button
          variant="default"
          size="xs"
          disabled={user.aff_quota < status.quota_per_unit}
          onClick={() => setTransferring(true)}
        >
          {t('invite.transfer')}
        </Button>
      }
    >
      <div className={`${styles.body} ${styles.stack}`}>
        <dl className={styles.figures}>
          <Figure label={t('invite.usable')}>{formatQuota(user.aff_quota, status)}</Figure>
          <Figure label={t('invite.earned')}>{formatQuota(user.aff_history_quota, status)}</Figure>
          <Figure label={t('invite.count')}>{formatCount(user.aff_count)}</Figure>
        </dl>
        {error ? (
          <LoadFailure error={error} retry={refetch} />
        ) : (
          <TextInput
            label={t('invite.link')}
            value={link}
            readOnly
            classNames={{ input: styles.mono }}
            onFocus={event => event.currentTarget.select()}
            rightSection={<CopyButton text={link} label={t('invite.copy')} />}
            rightSectionWidth={40}
          />
        )}
      </div>
      {transferring && (
        <Suspense>
          <TransferDialog user={user} status={status} close={() => setTransferring(false)} />
        </Suspense>
      )}
    </Panel>
  )
}
