import { createRoute } from '@tanstack/react-router'
import { requireUser } from '../../guard.ts'
import { noticeText } from '../../notices/catalogue.ts'
import { rootRoute } from '../../root-route.ts'
import { loadText } from '../../text.ts'
import { ownAccountText } from './catalogue.ts'

/** Without an id the address means one's own account. */
export const ownAccountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/user/edit',
  beforeLoad: requireUser,
  loader: () => loadText(ownAccountText, noticeText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
