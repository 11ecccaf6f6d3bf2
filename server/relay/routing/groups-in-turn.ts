import type { Admitted } from '../callers/authorise.ts'
import type { Channel } from './channel.ts'
import type { Candidates } from './channel-index.ts'
import type { ChannelSnapshot } from './channel-snapshot.ts'

type Channels = Pick<ChannelSnapshot, 'candidates' | 'byId'>

/** The channels that serve the model to whoever was let in; of several groups, one group's after the other's. */
export function candidatesFor(
  channels: Pick<Channels, 'candidates'>,
  { group, groups }: Pick<Admitted, 'group' | 'groups'>,
  model: string,
): Candidates {
  if (!groups) return channels.candidates(group, model)
  return groups.flatMap(one => channels.candidates(one, model))
}

/**
 * Which of several groups may come to serve an order, and be paid. A channel that is asked for by name is paid as
 * in the first of them that has it. Where none has the model, that is for whoever asks their channels to say.
 */
export function groupsToServe(
  channels: Channels,
  groups: readonly string[],
  { pinned, model }: { readonly pinned: number | undefined; readonly model: string },
): readonly string[] {
  const channel = pinned === undefined ? undefined : channels.byId(pinned)
  if (pinned !== undefined) return [(channel && groupOf(channel, groups)) ?? groups[0] ?? '']
  const able = groups.filter(group => channels.candidates(group, model).length > 0)
  return able.length > 0 ? able : groups
}

/** Whose channel it is when they are asked in their order. */
export function groupOf(channel: Channel, groups: readonly string[]): string | undefined {
  return groups.find(group => channel.groups.includes(group))
}
