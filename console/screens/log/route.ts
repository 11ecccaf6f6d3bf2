import { createRoute } from '@tanstack/react-router'
import { requireUser } from '../../guard.ts'
import { rootRoute } from '../../root-route.ts'
import { keepOnly } from '../../search-params.ts'
import { loadText } from '../../text.ts'
import { logText } from './catalogue.ts'
import { readLogSearch } from './log-search.ts'

export const logRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/log',
  validateSearch: keepOnly(readLogSearch),
  beforeLoad: requireUser,
  loader: () => loadText(logText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
