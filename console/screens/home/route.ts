import { createRoute } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'
import { loadText } from '../../text.ts'
import { homeText } from './catalogue.ts'

export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  loader: () => loadText(homeText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
