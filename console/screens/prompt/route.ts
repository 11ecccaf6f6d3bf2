import { createRoute } from '@tanstack/react-router'
import { requireUser } from '../../guard.ts'
import { rootRoute } from '../../root-route.ts'
import { keepOnly, readPage, readText } from '../../search-params.ts'
import { loadText } from '../../text.ts'
import { promptText } from './catalogue.ts'

export interface PromptSearch {
  p?: number
  keyword?: string
}

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/prompt',
  validateSearch: keepOnly(
    (search): PromptSearch => ({ ...readPage(search), ...readText(search, 'keyword') }),
  ),
  beforeLoad: requireUser,
  loader: () => loadText(promptText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))

/** The drawers stand beside the list and keep its filters. */
const addRoute = createRoute({ getParentRoute: () => listRoute, path: 'add' }).lazy(() =>
  import('./drawer.tsx').then(({ addDrawer }) => addDrawer),
)
const editRoute = createRoute({ getParentRoute: () => listRoute, path: 'edit/$id' }).lazy(() =>
  import('./drawer.tsx').then(({ editDrawer }) => editDrawer),
)

export const promptRoute = listRoute.addChildren([addRoute, editRoute])
