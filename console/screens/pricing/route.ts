import { createRoute } from '@tanstack/react-router'
import { rootRoute } from '../../root-route.ts'
import { keepOnly, readChoice, readFlag, readText } from '../../search-params.ts'
import { loadText } from '../../text.ts'
import { pricingText } from './catalogue.ts'

export interface PricingSearch {
  group?: string
  model?: string
  owner?: string
  billing?: 'tokens' | 'calls'
  /** By what; without it, by name. */
  price?: PriceSort
  dearest?: true
}

export type PriceSort = 'prompt' | 'completion'

export const pricingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/pricing',
  validateSearch: keepOnly(
    (search): PricingSearch => ({
      ...readText(search, 'group'),
      ...readText(search, 'model'),
      ...readText(search, 'owner'),
      ...readChoice(search, 'billing', ['tokens', 'calls']),
      ...readChoice(search, 'price', ['prompt', 'completion']),
      ...readFlag(search, 'dearest'),
    }),
  ),
  loader: () => loadText(pricingText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
