import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type OfferedPlan, planEndpoints, type SubscriptionView } from '../../../contract/plans.ts'
import { roles } from '../../../contract/users.ts'
import { call } from '../../api.ts'
import { formatMinute } from '../../format.ts'
import { newId } from '../../new-id.ts'
import { planText } from '../../plans/catalogue.ts'
import { durationText, periodWords } from '../../plans/plan-words.ts'
import { offeredPlansQuery, ownPlanQuery, refreshPlans } from '../../plans/plans-query.ts'
import { queryClient } from '../../query-client.ts'
import { formatExactly, formatQuota } from '../../quota.ts'
import { useUser } from '../../session.ts'
import { spendingText } from '../../spending/catalogue.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { GroupTag } from '../../ui/content/group-tag.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { toast } from '../../ui/layers/toast.ts'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { topUpText } from './catalogue.ts'
import styles from './plans.module.css'
import { postForm } from './post-form.ts'
import { priceText } from './price-text.ts'
import type { Method } from './ways.ts'

/** The plan one has, and those on sale. Where there is neither, only who could offer some sees anything of it. */
export default function Plans({ onKnown }: { onKnown(isKnown: boolean): void }) {
  const t = useText(planText)
  const topUp = useText(topUpText)
  const isAdmin = (useUser()?.role ?? 0) >= roles.admin
  const { data: offered = [], isPending: isOfferPending, error: offerError } = useQuery(offeredPlansQuery)
  const { data: own, isPending: isOwnPending, error: ownError } = useQuery(ownPlanQuery)
  const error = offerError ?? ownError
  const isKnown = !isOfferPending && !isOwnPending
  useEffect(() => onKnown(isKnown), [isKnown, onKnown])
  if (!isKnown) return null
  if (!own && offered.length === 0 && !isAdmin && !error) return null
  return (
    <section className={styles.plans} aria-labelledby="plans-title">
      <div className={styles.head}>
        <h2 id="plans-title">{t('title')}</h2>
        {isAdmin && <Link to="/plan">{t('manage')}</Link>}
      </div>
      {error && <LoadFailure error={error} retry={() => refreshPlans().catch(() => {})} />}
      {own && <Running own={own} />}
      {own && offered.some(({ id }) => id !== own.plan_id) && (
        <p className={styles.rule}>{topUp('oneAtATime')}</p>
      )}
      {offered.length > 0 && <Offers offered={offered} own={own ?? undefined} />}
    </section>
  )
}

/** To the last unit: what is offered is what is paid and given. */
function useAmount(): (quota: number) => string {
  const status = useStatus()
  return quota => (status ? formatExactly(quota, status) : '–')
}

function Running({ own }: { own: SubscriptionView }) {
  const t = useText(planText)
  const status = useStatus()
  return (
    <dl className={styles.running}>
      <Fact label={t('current')}>{own.title}</Fact>
      <Fact label={t('left')}>{status ? formatQuota(own.left, status) : '–'}</Fact>
      {own.renews_at > 0 && <Fact label={t('renews')}>{formatMinute(own.renews_at)}</Fact>}
      <Fact label={t('ends')}>{formatMinute(own.ends_at)}</Fact>
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Offers({ offered, own }: { offered: readonly OfferedPlan[]; own: SubscriptionView | undefined }) {
  const t = useText(planText)
  const amount = useAmount()
  const [chosen, setChosen] = useState<OfferedPlan>()
  return (
    <>
      <ul className={styles.offers}>
        {offered.map(plan => (
          <li key={plan.id} className={styles.offer}>
            <h3>{plan.title}</h3>
            <p className={styles.note}>{plan.note}</p>
            <p className={styles.price}>{amount(plan.price)}</p>
            <Terms plan={plan} />
            <div className={styles.act}>
              {/* That another one runs stands above them all. */}
              {(!own || own.plan_id === plan.id) && plan.refusal !== null && <p>{plan.refusal}</p>}
              <Button
                fullWidth
                variant="default"
                disabled={plan.refusal !== null}
                onClick={() => setChosen(plan)}
              >
                {own?.plan_id === plan.id ? t('renew') : t('buy')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {chosen && (
        <Dialog
          opened
          onClose={() => setChosen(undefined)}
          title={t(own?.plan_id === chosen.id ? 'renewTitle' : 'buyTitle', { name: chosen.title })}
          size={400}
        >
          <Terms plan={chosen} />
          <Ways plan={chosen} done={() => setChosen(undefined)} />
        </Dialog>
      )}
    </>
  )
}

function Terms({ plan }: { plan: OfferedPlan }) {
  const t = useText(planText)
  const spending = useText(spendingText)
  const amount = useAmount()
  const atMost = (period: 'five-hours' | 'seven-days') => spending('atMost', { period: spending(period) })
  return (
    <dl className={styles.facts}>
      <Fact label={t(periodWords[plan.period])}>{amount(plan.quota)}</Fact>
      {plan.five_hour_quota > 0 && <Fact label={atMost('five-hours')}>{amount(plan.five_hour_quota)}</Fact>}
      {plan.week_quota > 0 && <Fact label={atMost('seven-days')}>{amount(plan.week_quota)}</Fact>}
      <Fact label={t('duration')}>{durationText(t, plan)}</Fact>
      {plan.group && (
        <Fact label={t('group')}>
          <GroupTag name={plan.group} />
        </Fact>
      )}
    </dl>
  )
}

/** Each says what it takes. The balance pays at once, the others on a page of theirs. */
function Ways({ plan, done }: { plan: OfferedPlan; done(): void }) {
  const t = useText(planText)
  const topUp = useText(topUpText)
  const amount = useAmount()
  // Whoever hears nothing and presses again does not pay again.
  const [purchase] = useState(newId)
  const balance = useMutation({
    mutationFn: () => call(planEndpoints.buyPlan, { body: { plan_id: plan.id, purchase } }),
    onSuccess: () => {
      toast.success(t('bought'))
      done()
      return Promise.all([refreshPlans(), queryClient.invalidateQueries({ queryKey: ['self'] })])
    },
  })
  const away = useMutation({ mutationFn: (method: Method) => leaveToPay(plan.id, method) })
  const { epay_money, stripe_money, stripe_currency } = plan
  const methods: [Method, string][] = [
    ...(epay_money === null
      ? []
      : (['zfb', 'wx'] as const).map((method): [Method, string] => [
          method,
          priceText(topUp, { money: epay_money, currency: '' }),
        ])),
    ...(stripe_money === null
      ? []
      : [
          ['stripe', priceText(topUp, { money: stripe_money, currency: stripe_currency })] as [
            Method,
            string,
          ],
        ]),
  ]
  return (
    <div className={styles.ways}>
      <Button loading={balance.isPending} onClick={() => balance.mutate()}>
        {`${topUp('account.balance')} · ${amount(plan.price)}`}
      </Button>
      {methods.map(([method, price]) => (
        <Button
          key={method}
          variant="default"
          loading={away.isPending && away.variables === method}
          onClick={() => away.mutate(method)}
        >
          {`${topUp(method)} · ${price}`}
        </Button>
      ))}
    </div>
  )
}

async function leaveToPay(plan_id: number, method: Method): Promise<void> {
  if (method === 'stripe') {
    const { pay_link } = await call(planEndpoints.payPlanByStripe, { body: { plan_id } })
    window.location.assign(pay_link)
    return
  }
  const { form, url } = await call(planEndpoints.payPlanByEpay, { body: { plan_id, payment_method: method } })
  postForm(url, form)
}
