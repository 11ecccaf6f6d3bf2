import { createRoute } from '@tanstack/react-router'
import { requireAdmin } from '../../guard.ts'
import { planText } from '../../plans/catalogue.ts'
import { rootRoute } from '../../root-route.ts'
import { keepOnly, readPage } from '../../search-params.ts'
import { spendingText } from '../../spending/catalogue.ts'
import { loadText } from '../../text.ts'

export interface PlanSearch {
  p?: number
}

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/plan',
  validateSearch: keepOnly((search): PlanSearch => readPage(search)),
  beforeLoad: requireAdmin,
  loader: () => loadText(planText, spendingText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))

const addRoute = createRoute({ getParentRoute: () => listRoute, path: 'add' }).lazy(() =>
  import('./drawer.tsx').then(({ addDrawer }) => addDrawer),
)
const editRoute = createRoute({ getParentRoute: () => listRoute, path: 'edit/$id' }).lazy(() =>
  import('./drawer.tsx').then(({ editDrawer }) => editDrawer),
)

export const planRoute = listRoute.addChildren([addRoute, editRoute])
