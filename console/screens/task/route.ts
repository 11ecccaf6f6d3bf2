import { createRoute } from '@tanstack/react-router'
import { requireUser } from '../../guard.ts'
import { rootRoute } from '../../root-route.ts'
import { keepOnly } from '../../search-params.ts'
import { loadText } from '../../text.ts'
import { readRecordSearch } from '../../ui/lists/record-search.ts'
import { taskText } from './catalogue.ts'

export const taskRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/task',
  validateSearch: keepOnly(readRecordSearch),
  beforeLoad: requireUser,
  loader: () => loadText(taskText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
