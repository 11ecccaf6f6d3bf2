import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { accountEndpoints } from '../../../../contract/accounts.ts'
import { call } from '../../../api.ts'
import { formatTime } from '../../../format.ts'
import { useText } from '../../../text.ts'
import { Tag } from '../../../ui/content/tag.tsx'
import { Confirm } from '../../../ui/layers/confirm.tsx'
import { toast } from '../../../ui/layers/toast.ts'
import { LoadFailure } from '../../../ui/page/load-failure.tsx'
import { Skeleton } from '../../../ui/page/skeleton.tsx'
import { personalText } from './catalogue.ts'
import { describeBrowser } from './describe-browser.ts'
import { Panel, Row } from './panel.tsx'
import styles from './personal.module.css'
import { sessionsQuery } from './sessions-query.ts'

/** Where this account is logged in; what is not one's own can be ended from here. */
export function SessionsPanel() {
  const t = useText(personalText)
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(sessionsQuery)
  const [confirming, setConfirming] = useState(false)
  const end = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) await call(accountEndpoints.revokeSession, { params: { id } })
    },
    onSuccess: () => toast.success(t('sessions.ended')),
    onSettled: () => queryClient.invalidateQueries(sessionsQuery),
  })
  const others = (data ?? []).filter(({ current }) => !current)
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
                    onClick={() => end.mutate([id])}
                  >
                    {t('sessions.end')}
                  </Button>
                )
              }
            />
          )
        })}
      </ul>
      <Confirm
        opened={confirming}
        title={t('sessions.endOthers')}
        action={t('sessions.endOthers')}
        destructive
        onConfirm={() => {
          setConfirming(false)
          end.mutate(others.map(({ id }) => id))
        }}
        onCancel={() => setConfirming(false)}
      >
        {t('sessions.endOthersText', { count: others.length })}
      </Confirm>
    </Panel>
  )
}
