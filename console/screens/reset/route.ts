import { createRoute } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'
import { signInText } from '../../sign-in/catalogue.ts'
import { loadText } from '../../text.ts'
import { resetText } from './catalogue.ts'

export const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset',
  loader: () => loadText(resetText, signInText),
}).lazy(() => import('./request-screen.tsx').then(({ screen }) => screen))

interface ConfirmSearch {
  email?: string
  token?: string
}

/** Where the link of the mail leads. */
export const resetConfirmRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/user/reset',
  validateSearch: (search): ConfirmSearch => ({
    ...(search.email === undefined ? {} : { email: String(search.email) }),
    ...(search.token === undefined ? {} : { token: String(search.token) }),
  }),
  loader: () => loadText(resetText, signInText),
}).lazy(() => import('./confirm-screen.tsx').then(({ screen }) => screen))
