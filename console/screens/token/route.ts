import { createRoute } from '@tanstack/react-router'
import { requireUser } from '../../guard.ts'
import { rootRoute } from '../../root-route.ts'
import { keepOnly, readPage, readText } from '../../search-params.ts'
import { loadText } from '../../text.ts'
import { tokenText } from './catalogue.ts'

/** What the address has. */
interface TokenAddress {
  p?: number
  keyword?: string
}

export interface TokenSearch extends TokenAddress {
  /** A key or a part of one, which stands in no address. */
  key?: string
}

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/token',
  validateSearch: keepOnly(
    (search): TokenAddress => ({
      ...readPage(search),
      ...readText(search, 'keyword'),
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
