import { createRoute } from '@tanstack/react-router'
import { requireUser } from '../../guard.ts'
import { rootRoute } from '../../root-route.ts'
import { readInteger, readPage, readText } from '../../search-params.ts'
import { loadText } from '../../text.ts'
import { midjourneyText } from './catalogue.ts'

/** Times in seconds; without any, the last 30 days. */
export interface DrawingSearch {
  p?: number
  id?: string
  channel?: number
  start?: number
  end?: number
}

export const midjourneyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/midjourney',
  validateSearch: (search): DrawingSearch => ({
    ...readPage(search),
    ...readText(search, 'id'),
    ...readInteger(search, 'channel'),
    ...readInteger(search, 'start'),
    ...readInteger(search, 'end'),
  }),
  beforeLoad: requireUser,
  loader: () => loadText(midjourneyText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
