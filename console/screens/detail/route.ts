import { createRoute } from '@tanstack/react-router'
import { requireUser } from '../../guard.ts'
import { rootRoute } from '../../root-route.ts'
import { keepOnly } from '../../search-params.ts'
import { loadText } from '../../text.ts'
import { detailText } from './catalogue.ts'
import { readDetailSearch } from './choices.ts'

export const detailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/detail',
  validateSearch: keepOnly(readDetailSearch),
  beforeLoad: requireUser,
  loader: () => loadText(detailText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
