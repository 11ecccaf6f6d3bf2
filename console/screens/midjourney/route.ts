import { createRoute } from '@tanstack/react-router'
import { requireUser } from '../../guard.ts'
import { rootRoute } from '../../root-route.ts'
import { keepOnly } from '../../search-params.ts'
import { loadText } from '../../text.ts'
import { readRecordSearch } from '../../ui/lists/record-search.ts'
import { midjourneyText } from './catalogue.ts'

export const midjourneyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/midjourney',
  validateSearch: keepOnly(readRecordSearch),
  beforeLoad: requireUser,
  loader: () => loadText(midjourneyText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
