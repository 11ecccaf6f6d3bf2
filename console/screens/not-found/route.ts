import { createRoute } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'

export const notFoundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
