import { createLazyRoute } from '@tanstack/react-router'
import { useText } from '../../text.ts'
import { Page } from '../../ui/page.tsx'
import { BalanceCard } from './balance-card.tsx'
import { topUpText } from './catalogue.ts'
import { Orders } from './orders.tsx'
import { PayCard } from './pay-card.tsx'
import { RedeemCard } from './redeem-card.tsx'
import styles from './topup.module.css'

function Wallet() {
  const t = useText(topUpText)
  return (
    <Page title={t('title')}>
      <BalanceCard />
      <div className={styles.ways}>
        <RedeemCard />
        <PayCard />
      </div>
      <Orders search={screen.useSearch()} />
    </Page>
  )
}

export const screen = createLazyRoute('/topup')({ component: Wallet })
