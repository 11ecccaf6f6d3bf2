import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { planEndpoints } from '../../../contract/plans.ts'
import type { ManagedUser } from '../../../contract/user-admin.ts'
import { call } from '../../api.ts'
import { formatMinute } from '../../format.ts'
import { asPage } from '../../page-of-rows.ts'
import { planText } from '../../plans/catalogue.ts'
import { refreshPlans } from '../../plans/plans-query.ts'
import { formatQuota } from '../../quota.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { SelectField } from '../../ui/fields/choice-fields.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { toast } from '../../ui/layers/toast.ts'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import styles from './user.module.css'
import { refreshUsers } from './users-query.ts'

/** The plan that a user has, to be ended, or those they can be given. */
export default function PlanDialog({ user, close }: { user: ManagedUser; close(): void }) {
  const t = useText(planText)
  const status = useStatus()
  const [isEnding, setEnding] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['plans', 'of-user', user.id],
    queryFn: async ({ signal }) => {
      const [plans, sold] = await Promise.all([
        call(planEndpoints.listPlans, { query: { p: 1, page_size: 100 }, signal }),
        call(planEndpoints.userSubscriptions, { params: { id: user.id }, signal }),
      ])
      return { plans: asPage(plans).items, running: sold.find(({ running }) => running) }
    },
  })
  const done = () => {
    toast.success(t('done'))
    close()
    return Promise.all([refreshPlans(), refreshUsers()])
  }
  const give = useMutation({
    mutationFn: (plan_id: number) => call(planEndpoints.bindPlan, { body: { user_id: user.id, plan_id } }),
    onSuccess: done,
  })
  const end = useMutation({
    mutationFn: (id: number) => call(planEndpoints.endSubscription, { params: { id } }),
    onSuccess: done,
  })
  const running = data?.running
  return (
    <Dialog opened onClose={close} title={`${t('title')} · ${user.username}`} size={420}>
      {error ? (
        <LoadFailure error={error} retry={refetch} />
      ) : !data ? (
        <Skeleton rows={3} />
      ) : (
        <>
          {running && (
            <>
              <dl className={styles.bound}>
                <dt>{t('current')}</dt>
                <dd>{running.title}</dd>
                <dt>{t('left')}</dt>
                <dd>{status ? formatQuota(running.left, status) : ''}</dd>
                <dt>{t('ends')}</dt>
                <dd>{formatMinute(running.ends_at)}</dd>
              </dl>
              <p className={styles.planHint}>{t('endText')}</p>
              <div className={styles.planActions}>
                <Button color="red" loading={end.isPending} onClick={() => setEnding(true)}>
                  {t('end')}
                </Button>
                <Button
                  variant="default"
                  loading={give.isPending}
                  onClick={() => give.mutate(running.plan_id)}
                >
                  {t('renew')}
                </Button>
              </div>
              <Confirm
                opened={isEnding}
                title={t('endTitle', { name: running.title, user: user.username })}
                action={t('endNow')}
                destructive
                onConfirm={() => {
                  setEnding(false)
                  end.mutate(running.id)
                }}
                onCancel={() => setEnding(false)}
              >
                {t('endText')}
              </Confirm>
            </>
          )}
          {!running && data.plans.length === 0 && <p>{t('none')}</p>}
          {!running && data.plans.length > 0 && (
            <div className={styles.planGive}>
              <SelectField
                label={t('title')}
                data={data.plans.map(({ id, title }) => ({ value: String(id), label: title }))}
                value={chosen}
                onChange={setChosen}
              />
              <Button
                disabled={chosen === null}
                loading={give.isPending}
                onClick={() => give.mutate(Number(chosen))}
              >
                {t('bind')}
              </Button>
            </div>
          )}
        </>
      )}
    </Dialog>
  )
}
