import type { ChannelRestView, KeyRestView } from '../../../contract/channel-rests.ts'
import { channelStatuses } from '../../../contract/channels.ts'
import { type ChannelRest, readRests } from '../../store/channel-rests.ts'
import { channelColumns, markOf } from '../../store/routed-channel.ts'
import type { App } from '../app.ts'
import type { Rests, ViewRow } from './view.ts'

type Rest = ChannelRestView | KeyRestView

/** What of these channels rests in any process: of one model in several of them, the most and the longest. */
export async function restsOf(
  { store, now }: App,
  rows: readonly Pick<ViewRow, 'id' | 'status'>[],
): Promise<ReadonlyMap<number, Rests>> {
  const enabled = rows.filter(({ status }) => status === channelStatuses.enabled)
  if (enabled.length === 0) return new Map()
  const shown = new Set(enabled.map(({ id }) => id))
  const at = now()
  const told = (await readRests(store, at)).filter(({ channel }) => shown.has(channel))
  if (told.length === 0) return new Map()
  const marks = await readMarks(store, [...new Set(told.map(({ channel }) => channel))])
  const rests = new Map<number, Map<string, Rest>>()
  for (const one of told) {
    // The channel was changed since, or was let off: it begins anew.
    if (marks.get(one.channel) !== one.mark) continue
    const ofChannel = rests.get(one.channel) ?? new Map<string, Rest>()
    rests.set(one.channel, ofChannel)
    const rest = viewRest(one, at)
    const known = ofChannel.get(one.model)
    if (!known || weighsMore(rest, known)) ofChannel.set(one.model, rest)
  }
  return new Map([...rests].map(([id, byModel]) => [id, sort([...byModel.values()])]))
}

async function readMarks({ db }: App['store'], ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await db.selectFrom('channels').select(channelColumns).where('id', 'in', ids).execute()
  return new Map(rows.map(row => [row.id, markOf(row)]))
}

function viewRest({ model, until, reason, status, keys }: ChannelRest, now: number): Rest {
  const rest = {
    ...(model === '' ? {} : { model }),
    until,
    reason,
    ...(status === undefined ? {} : { status }),
  }
  if (!keys) return rest
  const ends = keys.ends.filter(([end]) => end > now)
  const count = ends.reduce((sum, [, some]) => sum + some, 0)
  // The first that is back is enough to be asked.
  return count < keys.all
    ? { ...rest, keys: { resting: count, all: keys.all } }
    : { ...rest, until: Math.min(...ends.map(([end]) => end)) }
}

function weighsMore(rest: Rest, known: Rest): boolean {
  const [now, before] = [restingKeys(rest), restingKeys(known)]
  return now === before ? rest.until > known.until : now > before
}

function restingKeys(rest: Rest): number {
  return 'keys' in rest ? rest.keys.resting : Number.POSITIVE_INFINITY
}

function sort(rests: readonly Rest[]): Rests {
  return {
    resting: rests.filter(rest => !('keys' in rest)),
    keys: rests.filter(rest => 'keys' in rest),
  }
}
