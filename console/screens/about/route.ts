import { createRoute } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'
import { loadText } from '../../text.ts'
import { aboutText } from './catalogue.ts'

export const aboutRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/about',
  loader: () => loadText(aboutText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
