import { createRoute } from '@tanstack/react-router'
import { type UserSort, userSorts } from '../../../contract/list-sorts.ts'
import { requireAdmin } from '../../guard.ts'
import { planText } from '../../plans/catalogue.ts'
import { rootRoute } from '../../root-route.ts'
import { keepOnly, readChoice, readPage, readText } from '../../search-params.ts'
import { spendingText } from '../../spending/catalogue.ts'
import { loadText } from '../../text.ts'
import { userText } from './catalogue.ts'

export interface UserSearch {
  p?: number
  keyword?: string
  group?: string
  role?: 'user' | 'team' | 'admin' | 'root'
  status?: 'active' | 'banned' | 'deleted'
  order?: UserSort
}

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/user',
  validateSearch: keepOnly(
    (search): UserSearch => ({
      ...readPage(search),
      ...readText(search, 'keyword'),
      ...readText(search, 'group'),
      ...readChoice(search, 'role', ['user', 'team', 'admin', 'root']),
      ...readChoice(search, 'status', ['active', 'banned', 'deleted']),
      ...readChoice(search, 'order', userSorts),
    }),
  ),
  beforeLoad: requireAdmin,
  loader: () => loadText(userText, planText, spendingText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))

const addRoute = createRoute({ getParentRoute: () => listRoute, path: 'add' }).lazy(() =>
  import('./add-drawer.tsx').then(({ addDrawer }) => addDrawer),
)
const editRoute = createRoute({ getParentRoute: () => listRoute, path: 'edit/$id' }).lazy(() =>
  import('./edit-drawer.tsx').then(({ editDrawer }) => editDrawer),
)

export const userRoute = listRoute.addChildren([addRoute, editRoute])
