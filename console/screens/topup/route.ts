import { createRoute } from '@tanstack/react-router'
import { requireUser } from '../../guard.ts'
import { planText } from '../../plans/catalogue.ts'
import { rootRoute } from '../../root-route.ts'
import { keepOnly, readChoice, readPage, readText } from '../../search-params.ts'
import { spendingText } from '../../spending/catalogue.ts'
import { loadText } from '../../text.ts'
import { topUpText } from './catalogue.ts'

export interface TopUpSearch {
  p?: number
  keyword?: string
  /** Administrators may look at everyone's orders. */
  orders?: 'all'
}

export const topUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/topup',
  validateSearch: keepOnly(
    (search): TopUpSearch => ({
      ...readPage(search),
      ...readText(search, 'keyword'),
      ...readChoice(search, 'orders', ['all']),
    }),
  ),
  beforeLoad: requireUser,
  loader: () => loadText(topUpText, planText, spendingText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
