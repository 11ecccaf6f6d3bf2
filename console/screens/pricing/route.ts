import { createRoute } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'
import { keepOnly, readChoice, readText } from '../../search-params.ts'
import { loadText } from '../../text.ts'
import { pricingText } from './catalogue.ts'

export interface PricingSearch {
  group?: string
  model?: string
  billing?: 'tokens' | 'calls'
}

export const pricingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/pricing',
  validateSearch: keepOnly(
    (search): PricingSearch => ({
      ...readText(search, 'group'),
      ...readText(search, 'model'),
      ...readChoice(search, 'billing', ['tokens', 'calls']),
    }),
  ),
  loader: () => loadText(pricingText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
