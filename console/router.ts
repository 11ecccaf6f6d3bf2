import { createRouter } from '@tanstack/react-router'
import { whenLoggedOut } from './api.ts'
import { rootRoute } from './root-route.ts'
import { aboutRoute } from './screens/about/route.ts'
import { homeRoute } from './screens/home/route.ts'
import { loginRoute } from './screens/login/route.ts'
import { notFoundRoute } from './screens/not-found/route.ts'
import { settingsRoute } from './screens/settings/route.ts'
import { setupRoute } from './screens/setup/route.ts'
import { forgetUser } from './session.ts'
import { ScreenFailure } from './ui/screen-failure.tsx'
import { ScreenSkeleton } from './ui/skeleton.tsx'

/** Every screen there is. A screen that is not here does not exist: no link, no menu item leads to it. */
const routeTree = rootRoute.addChildren([
  homeRoute,
  aboutRoute,
  loginRoute,
  settingsRoute,
  setupRoute,
  notFoundRoute,
])

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  defaultPendingMinMs: 200,
  defaultPendingComponent: ScreenSkeleton,
  defaultErrorComponent: ScreenFailure,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

whenLoggedOut(() => {
  forgetUser()
  if (router.state.location.pathname === '/login') return
  router.navigate({ to: '/login', search: { expired: true } }).catch(() => {})
})
