import { createRoute } from '@tanstack/react-router'
import { requireUser } from '../../guard.ts'
import { rootRoute } from '../../root-route.ts'
import { readInteger, readPage, readText } from '../../search-params.ts'
import { loadText } from '../../text.ts'
import { taskText } from './catalogue.ts'

/** Times in seconds; without any, since midnight. */
export interface TaskSearch {
  p?: number
  id?: string
  channel?: number
  start?: number
  end?: number
}

export const taskRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/task',
  validateSearch: (search): TaskSearch => ({
    ...readPage(search),
    ...readText(search, 'id'),
    ...readInteger(search, 'channel'),
    ...readInteger(search, 'start'),
    ...readInteger(search, 'end'),
  }),
  beforeLoad: requireUser,
  loader: () => loadText(taskText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
