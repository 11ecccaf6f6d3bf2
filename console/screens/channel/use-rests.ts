import { useQuery } from '@tanstack/react-query'
import type { ChannelView } from '../../../contract/channel-view.ts'
import { channelEndpoints } from '../../../contract/channels.ts'
import { call } from '../../api.ts'
import type { PageOfRows } from '../../page-of-rows.ts'
import type { watchQuery } from './channels-query.ts'
import { type Rests, restsOf } from './rests.ts'

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
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ resting }) => resting) ? WHILE_RESTING_MS : OTHERWISE_MS,
  }).data
}

function gather({ items }: PageOfRows<ChannelView>): RestsById {
  return Object.fromEntries(items.flatMap(({ id, resting }) => (resting ? [[id, resting]] : [])))
}

/** The same for the channel in hand. */
export function useRestsOf(channel: ChannelView): Rests {
  const { data } = useQuery({
    queryKey: [...restsOf, channel.id],
    queryFn: async ({ signal }) => {
      const { resting } = await call(channelEndpoints.getChannel, { params: { id: channel.id }, signal })
      return resting ?? []
    },
    initialData: channel.resting ?? [],
    gcTime: 0,
    refetchInterval: WHILE_RESTING_MS,
  })
  return data
}
