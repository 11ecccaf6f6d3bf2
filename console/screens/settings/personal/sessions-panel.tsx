import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { accountEndpoints } from '../../../../contract/accounts.ts'
import { userEndpoints } from '../../../../contract/users.ts'
import { call } from '../../../api.ts'
import { formatTime } from '../../../format.ts'
import { useText } from '../../../text.ts'
import { Tag } from '../../../ui/content/tag.tsx'
import { toast } from '../../../ui/layers/toast.ts'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import { LoadFailure } from '../../../ui/page/load-failure.tsx'
import { Skeleton } from '../../../ui/page/skeleton.tsx'
import { accessTokenQuery } from './access-token-query.ts'
import { personalText } from './catalogue.ts'
import { describeBrowser } from './describe-browser.ts'
import { Panel, Row } from './panel.tsx'
import styles from './personal.module.css'
import { sessionsQuery } from './sessions-query.ts'

const EndSessionsDialog = lazyPart(() => import('./end-sessions-dialog.tsx'))

/** Where this account is logged in; what is not one's own can be ended from here. */
export function SessionsPanel() {
  const t = useText(personalText)
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(sessionsQuery)
  const [confirming, setConfirming] = useState(false)
  const end = useMutation({
    mutationFn: async ({ ids, token }: { ids: readonly string[]; token?: boolean }) => {
      if (token) await call(userEndpoints.revokeAccessToken)
      for (const id of ids) await call(accountEndpoints.revokeSession, { params: { id } })
    },
    onSuccess: () => toast.success(t('sessions.ended')),
    onSettled: () => queryClient.invalidateQueries(sessionsQuery),
  })
  const others = (data ?? []).filter(({ current }) => !current)
  // Asked before the dialog opens, in which nothing is to move below the pointer.
  const token = useQuery({ ...accessTokenQuery, enabled: others.length > 0 })
  const ownFirst = data?.toSorted((one, other) => Number(other.current) - Number(one.current))
  return (
    <Panel
      title={t('sessions.title')}
      lead={t('sessions.lead')}
      action={
        others.length > 0 && (
          <Button variant="default" size="xs" loading={end.isPending} onClick={() => setConfirming(true)}>
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      {error && !data && (
        <div className={styles.body}>
          <LoadFailure error={error} retry={refetch} />
        </div>
      )}
      {!error && !data && (
        <div className={styles.body}>
          <Skeleton rows={2} />
        </div>
      )}
      <ul className={styles.rows} aria-label={t('sessions.title')}>
        {ownFirst?.map(({ id, current, user_agent, address, seen_at }) => {
          const name = describeBrowser(user_agent) ?? t('sessions.unknown')
          return (
            <Row
              key={id}
              title={
                <>
                  <span title={user_agent}>{name}</span>
                  {current && <Tag tone="green">{t('sessions.current')}</Tag>}
                </>
              }
              lead={`${address} · ${t('sessions.seen', { time: formatTime(seen_at) })}`}
              actions={
                !current && (
                  <Button
                    variant="subtle"
                    size="xs"
                    disabled={end.isPending}
                    aria-label={t('sessions.endNamed', { name: `${name} ${address}` })}
                    onClick={() => end.mutate({ ids: [id] })}
                  >
                    {t('sessions.end')}
                  </Button>
                )
              }
            />
          )
        })}
      </ul>
      <Suspense>
        {confirming && (
          <EndSessionsDialog
            count={others.length}
            mayHaveToken={token.isError || token.data?.exists}
            close={() => setConfirming(false)}
            end={token => end.mutate({ ids: others.map(({ id }) => id), token })}
          />
        )}
      </Suspense>
    </Panel>
  )
}
