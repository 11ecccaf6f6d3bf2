import { createRoute } from '@tanstack/react-router'
import { requireUser } from '../../guard.ts'
import { rootRoute } from '../../root-route.ts'
import { loadText } from '../../text.ts'
import { mcpText } from '../mcp-server/catalogue.ts'

export const toolsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tools',
  beforeLoad: requireUser,
  loader: () => loadText(mcpText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
