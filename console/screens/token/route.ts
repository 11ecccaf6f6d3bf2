import { createRoute } from '@tanstack/react-router'
import { requireUser } from '../../guard.ts'
import { rootRoute } from '../../root-route.ts'
import { keepOnly, readPage, readText } from '../../search-params.ts'
import { loadText } from '../../text.ts'
import { tokenText } from './catalogue.ts'

export interface TokenSearch {
  p?: number
  keyword?: string
  key?: string
}

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/token',
  validateSearch: keepOnly(
    (search): TokenSearch => ({
      ...readPage(search),
      ...readText(search, 'keyword'),
      ...readText(search, 'key'),
    }),
  ),
  beforeLoad: requireUser,
  loader: () => loadText(tokenText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))

/** The drawers stand beside the list and keep its filters. */
const addRoute = createRoute({ getParentRoute: () => listRoute, path: 'add' }).lazy(() =>
  import('./drawer.tsx').then(({ addDrawer }) => addDrawer),
)
const editRoute = createRoute({ getParentRoute: () => listRoute, path: 'edit/$id' }).lazy(() =>
  import('./drawer.tsx').then(({ editDrawer }) => editDrawer),
)

export const tokenRoute = listRoute.addChildren([addRoute, editRoute])
