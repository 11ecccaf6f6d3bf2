import { createRoute } from '@tanstack/react-router'
import { requireUser } from '../../guard.ts'
import { rootRoute } from '../../root-route.ts'
import { loadText } from '../../text.ts'
import { toolsText } from './catalogue.ts'

export const toolsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tools',
  beforeLoad: requireUser,
  loader: () => loadText(toolsText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
