import { createRoute } from '@tanstack/react-router'
import { requireAdmin } from '../../guard.ts'
import { rootRoute } from '../../root-route.ts'
import { keepOnly, readPage } from '../../search-params.ts'
import { loadText } from '../../text.ts'
import { mcpText } from './catalogue.ts'

export interface McpServerSearch {
  p?: number
}

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mcp-server',
  validateSearch: keepOnly((search): McpServerSearch => readPage(search)),
  beforeLoad: requireAdmin,
  loader: () => loadText(mcpText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))

const addRoute = createRoute({ getParentRoute: () => listRoute, path: 'add' }).lazy(() =>
  import('./drawer.tsx').then(({ addDrawer }) => addDrawer),
)
const editRoute = createRoute({ getParentRoute: () => listRoute, path: 'edit/$id' }).lazy(() =>
  import('./drawer.tsx').then(({ editDrawer }) => editDrawer),
)

export const mcpServerRoute = listRoute.addChildren([addRoute, editRoute])
