import type { ChannelRestView } from '../../../contract/channel-rests.ts'
import { channelStatuses } from '../../../contract/channels.ts'
import { type ChannelRest, readRests } from '../../store/channel-rests.ts'
import { channelColumns, markOf } from '../../store/routed-channel.ts'
import type { App } from '../app.ts'
import type { ViewRow } from './view.ts'

type Rests = ReadonlyMap<number, readonly ChannelRestView[]>

/** What of these channels rests in any process: of one model in several of them, the longest. */
export async function restsOf(
  { store, now }: App,
  rows: readonly Pick<ViewRow, 'id' | 'status'>[],
): Promise<Rests> {
  const enabled = rows.filter(({ status }) => status === channelStatuses.enabled)
  if (enabled.length === 0) return new Map()
  const shown = new Set(enabled.map(({ id }) => id))
  const told = (await readRests(store, now())).filter(({ channel }) => shown.has(channel))
  if (told.length === 0) return new Map()
  const marks = await readMarks(store, [...new Set(told.map(({ channel }) => channel))])
  const rests = new Map<number, Map<string, ChannelRest>>()
  for (const rest of told) {
    // The channel was changed since, or was let off: it begins anew.
    if (marks.get(rest.channel) !== rest.mark) continue
    const ofChannel = rests.get(rest.channel) ?? new Map<string, ChannelRest>()
    if ((ofChannel.get(rest.model)?.until ?? 0) < rest.until) ofChannel.set(rest.model, rest)
    rests.set(rest.channel, ofChannel)
  }
  return new Map([...rests].map(([id, byModel]) => [id, [...byModel.values()].map(viewRest)]))
}

async function readMarks({ db }: App['store'], ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await db.selectFrom('channels').select(channelColumns).where('id', 'in', ids).execute()
  return new Map(rows.map(row => [row.id, markOf(row)]))
}

function viewRest({ model, until, reason, status }: ChannelRest): ChannelRestView {
  return {
    ...(model === '' ? {} : { model }),
    until,
    reason,
    ...(status === undefined ? {} : { status }),
  }
}
