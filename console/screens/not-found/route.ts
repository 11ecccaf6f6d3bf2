import { createRoute } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'
import { loadText } from '../../text.ts'
import { notFoundText } from './catalogue.ts'

export const notFoundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  loader: () => loadText(notFoundText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
