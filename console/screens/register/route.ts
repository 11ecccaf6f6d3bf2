import { createRoute } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'
import { signInText } from '../../sign-in/catalogue.ts'
import { loadText } from '../../text.ts'
import { registerText } from './catalogue.ts'

interface RegisterSearch {
  /** An invite code. */
  aff?: string
}

export const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/register',
  validateSearch: (search): RegisterSearch => (search.aff === undefined ? {} : { aff: String(search.aff) }),
  loader: () => loadText(registerText, signInText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
