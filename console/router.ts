import type { Query } from '@tanstack/react-query'
import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import { whenActingChanges } from './acting.ts'
import { whenLoggedOut } from './api.ts'
import { keepWhatIsTyped } from './kept-state.ts'
import { queryClient } from './query-client.ts'
import { rememberPath, takePath } from './return-path.ts'
import { rootRoute } from './root-route.ts'
import { aboutRoute, privacyPolicyRoute, userAgreementRoute } from './screens/about/route.ts'
import { channelRoute } from './screens/channel/route.ts'
import { chatAppRoute, chatLinkRoute, chatRoute } from './screens/chat/route.ts'
import { detailRoute } from './screens/detail/route.ts'
import { homeRoute } from './screens/home/route.ts'
import { logRoute } from './screens/log/route.ts'
import { loginRoute } from './screens/login/route.ts'
import { mcpServerRoute } from './screens/mcp-server/route.ts'
import { midjourneyRoute } from './screens/midjourney/route.ts'
import { notFoundRoute } from './screens/not-found/route.ts'
import { oauthRoute } from './screens/oauth/route.ts'
import { ownAccountRoute } from './screens/own-account/route.ts'
import { planRoute } from './screens/plan/route.ts'
import { playgroundRoute } from './screens/playground/route.ts'
import { pricingRoute } from './screens/pricing/route.ts'
import { promptRoute } from './screens/prompt/route.ts'
import { rankingsRoute } from './screens/rankings/route.ts'
import { redemptionRoute } from './screens/redemption/route.ts'
import { registerRoute } from './screens/register/route.ts'
import { resetConfirmRoute, resetRoute } from './screens/reset/route.ts'
import { settingsRoute } from './screens/settings/route.ts'
import { setupRoute } from './screens/setup/route.ts'
import { startRoute } from './screens/start/route.ts'
import { taskRoute } from './screens/task/route.ts'
import { teamRoute } from './screens/team/route.ts'
import { tokenRoute } from './screens/token/route.ts'
import { toolsRoute } from './screens/tools/route.ts'
import { topUpRoute } from './screens/topup/route.ts'
import { userRoute } from './screens/user/route.ts'
import { forgetUser, readUser, whenAccountChanges } from './session.ts'
import { ScreenFailure } from './ui/page/screen-failure.tsx'
import { ScreenSkeleton } from './ui/page/skeleton.tsx'

/** Every screen there is. A screen that is not here does not exist: no link, no menu item leads to it. */
const routeTree = rootRoute.addChildren([
  homeRoute,
  aboutRoute,
  userAgreementRoute,
  privacyPolicyRoute,
  loginRoute,
  registerRoute,
  resetRoute,
  resetConfirmRoute,
  oauthRoute,
  ownAccountRoute,
  settingsRoute,
  setupRoute,
  startRoute,
  channelRoute,
  tokenRoute,
  promptRoute,
  teamRoute,
  detailRoute,
  redemptionRoute,
  planRoute,
  mcpServerRoute,
  toolsRoute,
  userRoute,
  midjourneyRoute,
  taskRoute,
  pricingRoute,
  rankingsRoute,
  topUpRoute,
  logRoute,
  playgroundRoute,
  chatRoute,
  chatAppRoute,
  chatLinkRoute,
  notFoundRoute,
])

export const router = createRouter({
  routeTree,
  // Filters are read as plain text, so that an id of digits stands in the address as it is.
  parseSearch: parseSearchWith(text => text),
  stringifySearch: stringifySearchWith(String),
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

/** Screens that are of use to a team as to a person. */
const forEveryAccount = [
  ...([
    '/token',
    '/prompt',
    '/log',
    '/detail',
    '/topup',
    '/playground',
    '/midjourney',
    '/task',
    '/team',
    '/tools',
  ] as const),
]

function isOfAccount({ queryKey }: Query): boolean {
  return queryKey[0] !== 'status'
}

// First out of where the other account may not be, then all of it anew.
whenAccountChanges(() => {
  keepWhatIsTyped()
  // A login in another tab is one here as well.
  const isAsked = router.state.location.pathname === '/login' && readUser() !== null
  const wanted = isAsked ? takePath() : undefined
  if (wanted) router.history.replace(wanted)
  router
    .invalidate()
    .then(() => queryClient.resetQueries({ predicate: isOfAccount }))
    .catch(() => {})
})

// What was read is another account's, and so is the screen if only administrators have it.
whenActingChanges(() => {
  const { pathname } = router.state.location
  const to = forEveryAccount.find(path => pathname.startsWith(path)) ?? '/token'
  queryClient
    .cancelQueries()
    .then(() => {
      queryClient.removeQueries({ predicate: isOfAccount, type: 'inactive' })
      return router.navigate({ to })
    })
    .then(() => router.invalidate())
    .then(() => queryClient.resetQueries({ predicate: isOfAccount }))
    .catch(() => {})
})

whenLoggedOut(() => {
  keepWhatIsTyped()
  forgetUser()
  const { pathname, href } = router.state.location
  if (pathname === '/login') return
  if (pathname !== '/') rememberPath(href)
  router.navigate({ to: '/login', search: { expired: true } }).catch(() => {})
})
