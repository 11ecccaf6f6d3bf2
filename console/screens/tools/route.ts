import { createRoute } from '@tanstack/react-router'
import { requireUser } from '../../guard.ts'
import { mcpText } from '../../mcp/catalogue.ts'
import { rootRoute } from '../../root-route.ts'
import { loadText } from '../../text.ts'

export const toolsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tools',
  beforeLoad: requireUser,
  loader: () => loadText(mcpText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
