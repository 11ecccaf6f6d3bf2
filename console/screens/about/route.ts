import { createRoute } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'
import { loadText } from '../../text.ts'
import { aboutText } from './catalogue.ts'

const loader = () => loadText(aboutText)

export const aboutRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/about',
  loader,
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))

export const userAgreementRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/user-agreement',
  loader,
}).lazy(() => import('./screen.tsx').then(({ userAgreementScreen }) => userAgreementScreen))

export const privacyPolicyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/privacy-policy',
  loader,
}).lazy(() => import('./screen.tsx').then(({ privacyPolicyScreen }) => privacyPolicyScreen))
