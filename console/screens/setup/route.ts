import { createRoute } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'
import { signInText } from '../../sign-in/catalogue.ts'
import { loadText } from '../../text.ts'
import { setupText } from './catalogue.ts'

interface SetupSearch {
  /** The one-time token of the link in the server's log. */
  token?: string
}

export const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  validateSearch: (search): SetupSearch =>
    search.token === undefined ? {} : { token: String(search.token) },
  loader: () => loadText(setupText, signInText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
