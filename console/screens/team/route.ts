import { createRoute } from '@tanstack/react-router'
import { requireUser } from '../../guard.ts'
import { rootRoute } from '../../root-route.ts'
import { keepOnly, readInteger } from '../../search-params.ts'
import { spendingText } from '../../spending/catalogue.ts'
import { loadText } from '../../text.ts'
import { teamText } from './catalogue.ts'

export interface TeamSearch {
  id?: number
}

export const teamRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/team',
  validateSearch: keepOnly((search): TeamSearch => readInteger(search, 'id')),
  beforeLoad: requireUser,
  loader: () => loadText(teamText, spendingText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
