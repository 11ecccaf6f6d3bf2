import { createRoute } from '@tanstack/react-router'
import { requireRole } from '../../guard.ts'
import { queryClient } from '../../query-client.ts'
import { rootRoute } from '../../root-route.ts'
import { keepOnly, readPage, readText } from '../../search-params.ts'
import { readUser } from '../../session.ts'
import { loadText } from '../../text.ts'
import { settingsText } from './catalogue.ts'
import { optionsQuery } from './options-query.ts'
import { preloadTab } from './tab-contents.ts'
import { allowedTab, isTabId, roleOf, type TabId } from './tabs.ts'

interface SettingsSearch {
  tab?: TabId
  /** A model whose price is to be set. */
  price?: string
  /** What the record of changes is narrowed down by. */
  p?: number
  user?: string
  action?: string
  subject?: string
}

export const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setting',
  validateSearch: keepOnly<SettingsSearch>(search => ({
    ...(isTabId(search.tab) ? { tab: search.tab } : {}),
    ...readText(search, 'price'),
    ...readPage(search),
    ...readText(search, 'user'),
    ...readText(search, 'action'),
    ...readText(search, 'subject'),
  })),
  beforeLoad: ({ search, ...entering }) => requireRole(entering, roleOf(search.tab)),
  loaderDeps: ({ search: { tab } }) => ({ tab }),
  loader: async ({ deps }) => {
    const tab = allowedTab(readUser()?.role ?? 0, deps.tab)
    if (tab && tab.id !== 'personal' && tab.id !== 'audit')
      queryClient.prefetchQuery(optionsQuery).catch(() => {})
    await Promise.all([loadText(settingsText), tab && preloadTab(tab.id)])
  },
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
