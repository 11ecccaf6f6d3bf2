import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { mayBeKey } from '../../may-be-key.ts'
import { usePageSize } from '../../page-size.ts'
import { readStored, store } from '../../storage.ts'
import { useDeleted } from '../../ui/layers/delete-later.ts'
import { useLastPage } from '../../ui/lists/use-last-page.ts'
import { useUntold } from '../../ui/lists/use-untold.ts'
import { channelsQuery, watchQuery } from './channels-query.ts'
import type { ChannelSearch } from './route.ts'
import { gatherByTag } from './rows.ts'
import { useRests } from './use-rests.ts'

const WHILE_WORKING_MS = 3000

/** The channels, or their tags, page by page; `isWorking` while something goes through them that shows. */
export function useChannelList(told: ChannelSearch, isWorking: boolean) {
  const navigate = useNavigate({ from: '/channel' })
  const { search, show } = useUntold<ChannelSearch, 'keyword'>(told, 'keyword', mayBeKey, (next, replace) =>
    navigate({ to: '/channel', search: next, replace }),
  )
  const [pageSize, setPageSize] = usePageSize()
  const [byId, setById] = useState(() => readStored('id-sort') === 'true')
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...channelsQuery(search, pageSize, byId),
    refetchInterval: isWorking ? WHILE_WORKING_MS : false,
  })
  const rests = useRests(watchQuery(search, pageSize, byId), isPlaceholderData ? undefined : data)
  const deleted = useDeleted('channel')
  const byTag = search.tag_mode === true
  const [openTags, setOpenTags] = useState<ReadonlySet<string>>(new Set())
  const toggleTag = useCallback(
    (tag: string) => setOpenTags(before => before.symmetricDifference(new Set([tag]))),
    [],
  )
  const rows = useMemo(() => {
    const shown = data?.items.filter(({ id }) => !deleted.has(id))
    return shown && byTag ? gatherByTag(shown, openTags) : shown
  }, [data, deleted, byTag, openTags])
  const page = search.p ?? 1
  const total = data?.total ?? 0
  useLastPage({ page, pageSize, total, count: isPlaceholderData ? undefined : rows?.length })

  const { keyword, model, group, type, status } = search
  const filter = (next: ChannelSearch) => show({ ...search, p: undefined, ...next })
  return {
    search,
    show,
    filter,
    isFiltered: [keyword, model, group, type, status].some(value => value !== undefined),
    clear: () => show(byTag ? { tag_mode: true } : {}),
    byTag,
    toggleTag,
    byId,
    sortById(isOn: boolean) {
      store('id-sort', String(isOn))
      setById(isOn)
    },
    /** As they came, those that are about to be deleted among them; undefined until they are there. */
    channels: data?.items,
    rows,
    rests,
    total,
    isPlaceholderData,
    error,
    refetch,
    page,
    pageSize,
    resize(size: number) {
      setPageSize(size)
      return filter({})
    },
  }
}

export type ChannelList = ReturnType<typeof useChannelList>
