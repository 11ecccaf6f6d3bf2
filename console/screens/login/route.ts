import { createRoute } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'
import { signInText } from '../../sign-in/catalogue.ts'
import { loadText } from '../../text.ts'
import { loginText } from './catalogue.ts'

interface LoginSearch {
  /** The session has ended, or there was none. */
  expired?: boolean
  /** An invite code, kept for whoever registers later. */
  aff?: string
}

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: (search): LoginSearch => ({
    ...(String(search.expired) === 'true' ? { expired: true } : {}),
    ...(search.aff === undefined ? {} : { aff: String(search.aff) }),
  }),
  loader: () => loadText(loginText, signInText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
