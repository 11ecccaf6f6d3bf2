import type { ChannelRestView } from '../../../contract/channel-rests.ts'
import type { ChannelView } from '../../../contract/channel-view.ts'
import { channelStatuses } from '../../../contract/channels.ts'
import { tellFailure } from '../../../contract/tell-failure.ts'
import { currentLanguage } from '../../text.ts'

/** The channels of a tag, gathered in one row. */
export interface TagRow {
  readonly tag: string
  readonly channels: readonly ChannelView[]
  readonly isOpen: boolean
}
export type Row = ChannelView | TagRow

export function isTagRow(row: Row): row is TagRow {
  return 'channels' in row
}

export function isOn({ status }: ChannelView): boolean {
  return status === channelStatuses.enabled
}

/** A tag is on when any of its channels is. */
export function isRowOn(row: Row): boolean {
  return isTagRow(row) ? row.channels.some(isOn) : isOn(row)
}

/** A row for each tag, and under those that are open their channels. */
export function gatherByTag(channels: readonly ChannelView[], open: ReadonlySet<string>): Row[] {
  const byTag = Map.groupBy(channels, ({ tag }) => tag ?? '')
  return [...byTag].flatMap(([tag, tagged]): Row[] => {
    const isOpen = open.has(tag)
    return [{ tag, channels: tagged, isOpen }, ...(isOpen ? tagged : [])]
  })
}

/** What all of them have in common; undefined when they differ. */
export function inCommon<T>(
  channels: readonly ChannelView[],
  of: (channel: ChannelView) => T,
): T | undefined {
  const [first, ...others] = channels.map(of)
  return others.every(value => value === first) ? first : undefined
}

export function namesIn(list: string): string[] {
  return list.split(',').flatMap(name => name.trim() || [])
}

export type NumberField = 'priority' | 'weight'

/** Of the longest number in this field, its sign with them. */
export function mostDigits(channels: readonly ChannelView[] = [], field: NumberField): number {
  return channels.reduce((most, { [field]: value }) => Math.max(most, String(value).length), 0)
}

/** Of those that were tested. */
export function averageResponse(channels: readonly ChannelView[]): number {
  const tested = channels.flatMap(({ response_time }) => response_time || [])
  return tested.length === 0 ? 0 : Math.round(tested.reduce((sum, ms) => sum + ms, 0) / tested.length)
}

/** Why, in words of the page, and when a channel was taken out of service by itself. */
export function fallOf(channel: ChannelView): { reason: string; time: number } | undefined {
  if (channel.status !== channelStatuses.disabledByItself) return undefined
  try {
    const info: unknown = JSON.parse(channel.other_info)
    if (typeof info !== 'object' || info === null) return undefined
    const reason = 'status_reason' in info ? tellFailure(String(info.status_reason), currentLanguage()) : ''
    const time = 'status_time' in info ? Number(info.status_time) : 0
    return { reason, time: Number.isFinite(time) ? time : 0 }
  } catch {
    return undefined
  }
}

/** How many of a channel's models rest. */
export function countResting(
  { models }: Pick<ChannelView, 'models'>,
  rests: readonly Pick<ChannelRestView, 'model'>[],
) {
  const names = new Set(namesIn(models))
  const resting = new Set(rests.flatMap(({ model }) => model ?? [...names])).intersection(names)
  return { count: resting.size, all: names.size, isWhole: resting.size === names.size }
}
