import { createRoute } from '@tanstack/react-router'
import { requireUser } from '../../guard.ts'
import { rootRoute } from '../../root-route.ts'
import { loadText } from '../../text.ts'
import { startText } from './catalogue.ts'

export const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/start',
  beforeLoad: requireUser,
  loader: () => loadText(startText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
