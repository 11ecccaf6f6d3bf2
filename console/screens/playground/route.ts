import { createRoute } from '@tanstack/react-router'
import { requireUser } from '../../guard.ts'
import { rootRoute } from '../../root-route.ts'
import { keepOnly, readText } from '../../search-params.ts'
import { loadText } from '../../text.ts'
import { playgroundText } from './models/catalogue.ts'
import { prefetchOffer } from './models/offer-queries.ts'

export const playgroundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/playground',
  validateSearch: keepOnly(search => ({ ...readText(search, 'model'), ...readText(search, 'group') })),
  beforeLoad: requireUser,
  loader: () => {
    prefetchOffer()
    return loadText(playgroundText)
  },
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
