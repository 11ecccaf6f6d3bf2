import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ChannelView } from '../../../contract/channel-view.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { sortBy } from '../../ui/table/sort-by.ts'
import { useNarrow, useSpacious } from '../../ui/use-narrow.ts'
import { useStable } from '../../ui/use-stable.ts'
import { channelText } from './catalogue.ts'
import { channelColumns } from './columns.tsx'
import { healthQuery } from './health-query.ts'
import { restsForSome } from './rests.ts'
import { isOn, isTagRow, mostDigits } from './rows.ts'
import { useChannelEdits } from './use-channel-edits.ts'
import type { ChannelList } from './use-channel-list.ts'

/** With more channels than this their hours are not asked for. */
const MOST_WITH_HEALTH = 200

interface ColumnWishes {
  /** Rows can be ticked. */
  readonly hasBoxes: boolean
  open(channel: ChannelView): void
}

/** The same columns for as long as nothing of what they show changes: a cell is not drawn anew without need. */
export function useChannelColumns(list: ChannelList, { hasBoxes, open }: ColumnWishes) {
  const t = useText(channelText)
  const status = useStatus()
  const { channels, rests, byTag, search, toggleTag } = list
  const isFew = channels !== undefined && list.total <= MOST_WITH_HEALTH
  const health = useQuery({ ...healthQuery, enabled: isFew }).data
  // Tags have no ids, and beside the boxes there is no room for a column of them.
  const withoutIds = byTag || hasBoxes
  const isNarrow = useNarrow()
  const isSpacious = useSpacious()
  const mostGroups = isNarrow ? Infinity : isSpacious ? 3 : 1
  const { saveNumber, refreshBalance } = useChannelEdits()
  const showSorted = useStable(list.filter)
  const sort = useMemo(
    () => (byTag ? undefined : sortBy('used_quota', search.order, next => showSorted({ order: next }))),
    [byTag, search.order, showSorted],
  )
  const priority = mostDigits(channels, 'priority')
  const weight = mostDigits(channels, 'weight')
  // That one rests for some of its models has more words than any other status, and a tag says two numbers.
  const hasPartRests = channels?.some(one => isOn(one) && restsForSome(one, rests?.[one.id]))
  const most = Math.max(...(list.rows ?? []).map(row => (isTagRow(row) ? row.channels.length : 0)))
  const statusWidth = most > 99 ? 120 : hasPartRests || most > 9 ? 104 : 84
  return useMemo(
    () =>
      channelColumns({
        ...{ t, status, health, rests, byTag, withoutIds, mostGroups, sort },
        statusWidth,
        digits: { priority, weight },
        ...{ toggleTag, open, saveNumber, refreshBalance },
      }),
    [
      t,
      status,
      health,
      rests,
      byTag,
      withoutIds,
      mostGroups,
      statusWidth,
      priority,
      weight,
      sort,
      toggleTag,
      open,
      saveNumber,
      refreshBalance,
    ],
  )
}
