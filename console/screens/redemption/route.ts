import { createRoute } from '@tanstack/react-router'
import { requireAdmin } from '../../guard.ts'
import { rootRoute } from '../../root-route.ts'
import { keepOnly, readChoice, readPage, readText } from '../../search-params.ts'
import { loadText } from '../../text.ts'
import { redemptionText } from './catalogue.ts'

export interface RedemptionSearch {
  p?: number
  keyword?: string
  status?: 'unused' | 'disabled' | 'used' | 'expired'
}

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/redemption',
  validateSearch: keepOnly(
    (search): RedemptionSearch => ({
      ...readPage(search),
      ...readText(search, 'keyword'),
      ...readChoice(search, 'status', ['unused', 'disabled', 'used', 'expired']),
    }),
  ),
  beforeLoad: requireAdmin,
  loader: () => loadText(redemptionText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))

const addRoute = createRoute({ getParentRoute: () => listRoute, path: 'add' }).lazy(() =>
  import('./drawer.tsx').then(({ addDrawer }) => addDrawer),
)
const editRoute = createRoute({ getParentRoute: () => listRoute, path: 'edit/$id' }).lazy(() =>
  import('./drawer.tsx').then(({ editDrawer }) => editDrawer),
)

export const redemptionRoute = listRoute.addChildren([addRoute, editRoute])
