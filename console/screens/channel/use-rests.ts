import { useQuery } from '@tanstack/react-query'
import type { ChannelView } from '../../../contract/channel-view.ts'
import { channelEndpoints } from '../../../contract/channels.ts'
import { call } from '../../api.ts'
import type { PageOfRows } from '../../page-of-rows.ts'
import type { watchQuery } from './channels-query.ts'
import { type Rests, restsIn, restsOf } from './rests.ts'

/** Rests begin and end within seconds; while there are some, they are looked at more often. */
const WHILE_RESTING_MS = 5000
const OTHERWISE_MS = 15_000

export type RestsById = Readonly<Record<number, Rests>>

/**
 * Who rests, kept up to date without the list being asked for again: its rows keep their places while someone
 * works on them.
 */
export function useRests(
  watched: ReturnType<typeof watchQuery>,
  shown: PageOfRows<ChannelView> | undefined,
): RestsById | undefined {
  return useQuery({
    ...watched,
    enabled: shown !== undefined,
    ...(shown ? { initialData: shown } : {}),
    select: gather,
    refetchInterval: ({ state }) => (state.data?.items.some(restsIn) ? WHILE_RESTING_MS : OTHERWISE_MS),
  }).data
}

function gather({ items }: PageOfRows<ChannelView>): RestsById {
  return Object.fromEntries(
    items.flatMap(channel => {
      const rests = restsIn(channel)
      return rests ? [[channel.id, rests]] : []
    }),
  )
}

/** The same for the channel in hand. */
export function useRestsOf(channel: ChannelView): Rests {
  const { data } = useQuery({
    queryKey: [...restsOf, channel.id],
    queryFn: async ({ signal }) =>
      restsIn(await call(channelEndpoints.getChannel, { params: { id: channel.id }, signal })) ?? [],
    initialData: restsIn(channel) ?? [],
    gcTime: 0,
    refetchInterval: WHILE_RESTING_MS,
  })
  return data
}
