import { createRoute } from '@tanstack/react-router'
import { requireUser } from '../../guard.ts'
import { rootRoute } from '../../root-route.ts'
import { loadText } from '../../text.ts'
import { chatText } from './catalogue.ts'

const shared = {
  getParentRoute: () => rootRoute,
  beforeLoad: requireUser,
  loader: () => loadText(chatText),
}

/** The first chat application. */
export const chatRoute = createRoute({ ...shared, path: '/chat' }).lazy(() =>
  import('./screen.tsx').then(({ firstScreen }) => firstScreen),
)

/** One of them, by its place in the list. */
export const chatAppRoute = createRoute({ ...shared, path: '/chat/$id' }).lazy(() =>
  import('./screen.tsx').then(({ screen }) => screen),
)

/** The same, as a page of its own. */
export const chatLinkRoute = createRoute({ ...shared, path: '/chat2link' }).lazy(() =>
  import('./screen.tsx').then(({ linkScreen }) => linkScreen),
)
