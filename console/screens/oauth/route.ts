import { createRoute } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'
import { arrivedWith } from '../../sign-in/arrival.ts'
import { signInText } from '../../sign-in/catalogue.ts'
import { loadText } from '../../text.ts'

/** Where third parties send the browser back to. */
export const oauthRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/oauth/$provider',
  loader: () => loadText(signInText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))

/** Read at once: nothing of what the third party sent may be taken for a number. */
export const callbackQuery = (provider: string) => arrivedWith(`/oauth/${provider}`)
