import { createLazyRoute } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { shellText } from '../../locales/catalogue.ts'
import { useTeam } from '../../session.ts'
import { signInText } from '../../sign-in/catalogue.ts'
import { OwnLimits } from '../../spending/own-limits.tsx'
import { useStatus } from '../../status.ts'
import { loadText, useText } from '../../text.ts'
import { lazyPart } from '../../ui/page/lazy-part.ts'
import { Page } from '../../ui/page/page.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { BalanceCard } from './balance-card.tsx'
import { CheckInPlace } from './check-in-place.tsx'
import { Orders } from './orders.tsx'
import { PayCard } from './pay-card.tsx'
import { RedeemCard } from './redeem-card.tsx'
import styles from './topup.module.css'

const CheckInCard = lazyPart(async () => {
  // The captcha's words.
  const [part] = await Promise.all([import('./check-in-card.tsx'), loadText(signInText)])
  return part
})
const Plans = lazyPart(() => import('./plans.tsx'))

function Wallet() {
  const shell = useText(shellText)
  const status = useStatus()
  const search = screen.useSearch()
  const team = useTeam()
  // What a team has spent and may buy is its owners' affair; whoever is in it can bring money.
  const isOwners = !team || team.isOwner
  const [limitsAreKnown, setLimitsKnown] = useState(false)
  const [plansAreKnown, setPlansKnown] = useState(false)
  return (
    <Page title={shell('nav.topup')}>
      <BalanceCard />
      <OwnLimits onKnown={setLimitsKnown} />
      {/* Drawn at once, shown when nothing above is to come. */}
      <div className={styles.middle} data-loading={!limitsAreKnown || undefined}>
        {!limitsAreKnown && (
          <div className={styles.coming}>
            <Skeleton rows={6} />
          </div>
        )}
        {status?.checkin_enabled && !team && (
          <Suspense fallback={<CheckInPlace status={status} />}>
            <CheckInCard status={status} />
          </Suspense>
        )}
        <div className={styles.ways}>
          <RedeemCard />
          <PayCard />
        </div>
      </div>
      {isOwners && (
        <>
          <Suspense>
            <Plans onKnown={setPlansKnown} />
          </Suspense>
          <div className={styles.last} data-loading={!plansAreKnown || undefined}>
            <Orders search={search} />
          </div>
        </>
      )}
    </Page>
  )
}

export const screen = createLazyRoute('/topup')({ component: Wallet })
