import { createRoute } from '@tanstack/react-router'
import { type ChannelSort, channelSorts } from '../../../contract/list-sorts.ts'
import { requireAdmin } from '../../guard.ts'
import { rootRoute } from '../../root-route.ts'
import { keepOnly, readChoice, readFlag, readInteger, readPage, readText } from '../../search-params.ts'
import { loadText } from '../../text.ts'
import { channelText } from './catalogue.ts'
import { formText } from './form/catalogue.ts'

export const channelStates = ['enabled', 'disabled', 'auto'] as const
export type ChannelState = (typeof channelStates)[number]

export interface ChannelSearch {
  p?: number
  keyword?: string
  model?: string
  group?: string
  type?: number
  status?: ChannelState
  tag_mode?: true
  order?: ChannelSort
}

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/channel',
  validateSearch: keepOnly(
    (search): ChannelSearch => ({
      ...readPage(search),
      ...readText(search, 'keyword'),
      ...readText(search, 'model'),
      ...readText(search, 'group'),
      ...readInteger(search, 'type'),
      ...readChoice(search, 'status', channelStates),
      ...readFlag(search, 'tag_mode'),
      ...readChoice(search, 'order', channelSorts),
    }),
  ),
  beforeLoad: requireAdmin,
  loader: () => loadText(channelText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))

/** The drawers stand beside the list and keep its filters. */
const addRoute = createRoute({
  getParentRoute: () => listRoute,
  path: 'add',
  loader: () => loadText(formText),
}).lazy(() => import('./form/drawer.tsx').then(({ addDrawer }) => addDrawer))
const editRoute = createRoute({
  getParentRoute: () => listRoute,
  path: 'edit/$id',
  loader: () => loadText(formText),
}).lazy(() => import('./form/drawer.tsx').then(({ editDrawer }) => editDrawer))

export const channelRoute = listRoute.addChildren([addRoute, editRoute])
