import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ChannelView } from '../../../contract/channel-view.ts'
import { channelEndpoints } from '../../../contract/channels.ts'
import { call } from '../../api.ts'
import { mayBeKey } from '../../may-be-key.ts'
import { asPage, type PageOfRows } from '../../page-of-rows.ts'
import { queryClient } from '../../query-client.ts'
import type { ChannelSearch } from './route.ts'

const list = ['channels', 'list'] as const
const WATCH = 'watch'

type Asked = readonly [search: ChannelSearch, pageSize: number, byId: boolean]

export function channelsQuery(...asked: Asked) {
  return queryOptions({
    queryKey: [...list, keyOf(...asked)],
    queryFn: ({ signal }) => readPage(asked, signal),
    placeholderData: keepPreviousData,
  })
}

/** The same page apart: it is asked for again and again, and the rows at hand are not to move for it. */
export function watchQuery(...asked: Asked) {
  return queryOptions({
    queryKey: [...list, keyOf(...asked), WATCH],
    queryFn: ({ signal }) => readPage(asked, signal),
  })
}

function keyOf(search: ChannelSearch, pageSize: number, byId: boolean) {
  const {
    p = 1,
    keyword = '',
    model = '',
    group = '',
    type,
    status = 'all',
    tag_mode = false,
    order,
  } = search
  return { p, keyword, model, group, type, status, tag_mode, order, pageSize, byId } as const
}

async function readPage(asked: Asked, signal: AbortSignal): Promise<PageOfRows<ChannelView>> {
  const { p, keyword, model, group, type, status, tag_mode, order, pageSize, byId } = keyOf(...asked)
  const query = {
    p: String(p),
    page_size: String(pageSize),
    form: 'paged',
    status,
    ...(type === undefined ? {} : { type: String(type) }),
    id_sort: String(byId),
    ...(order === undefined ? {} : { sort: order }),
    tag_mode: String(tag_mode),
  } as const
  const narrowed = { ...query, keyword, model, group }
  if (mayBeKey(keyword)) return asPage(await call(channelEndpoints.findChannels, { body: narrowed, signal }))
  const found =
    keyword || model || group
      ? await call(channelEndpoints.searchChannels, { query: narrowed, signal })
      : await call(channelEndpoints.listChannels, { query, signal })
  return asPage(found)
}

export function refreshChannels(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: list })
}

/** Writes what the server has confirmed into the lists at hand, where rows keep their places. */
export function patchChannel(id: number, change: Partial<ChannelView>): void {
  queryClient.setQueriesData<PageOfRows<ChannelView>>(
    { queryKey: list },
    page => page && { ...page, items: page.items.map(row => (row.id === id ? { ...row, ...change } : row)) },
  )
  // A list that is on its way may be from before: it is asked for anew, or it would take the change back.
  const isRows = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey.at(-1) !== WATCH
  if (queryClient.isFetching({ queryKey: list, predicate: isRows }) > 0) refreshChannels().catch(() => {})
}
