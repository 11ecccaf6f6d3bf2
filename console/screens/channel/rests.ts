import type { ChannelRestView, KeyRestView } from '../../../contract/channel-rests.ts'
import type { ChannelView } from '../../../contract/channel-view.ts'
import { channelEndpoints } from '../../../contract/channels.ts'
import { fill, type Params } from '../../../contract/language.ts'
import { call } from '../../api.ts'
import { formatTime } from '../../format.ts'
import { withAside } from '../../punctuation.ts'
import { queryClient } from '../../query-client.ts'
import { currentLanguage } from '../../text.ts'
import { toast } from '../../ui/layers/toast.ts'
import { refreshChannels } from './channels-query.ts'
import { restReasonTexts, restTexts } from './rest-words.ts'
import { countResting } from './rows.ts'

type Rest = ChannelRestView | KeyRestView
export type Rests = readonly Rest[]
/** The beginning of the key of what is known of one channel's. */
export const restsOf = ['channels', 'rests-of'] as const

export function restText(text: keyof typeof restTexts, params: Params = {}): string {
  return fill(restTexts[text][currentLanguage()], params)
}

/** The whole of what rests of a channel, the keys behind; undefined when nothing does. */
export function restsIn({ resting = [], resting_keys = [] }: ChannelView): Rests | undefined {
  const all = [...resting, ...resting_keys]
  return all.length > 0 ? all : undefined
}

/** Whether the channel is not asked because of it: keys alone leave it to the others. */
export function isOfChannel(rest: Rest): boolean {
  return !('keys' in rest)
}

/** Whether a channel rests for some of its models, and is asked for the others. */
export function restsForSome(channel: ChannelView, rests: Rests | undefined): boolean {
  const own = rests?.filter(isOfChannel) ?? []
  return own.length > 0 && !countResting(channel, own).isWhole
}

/** How many keys rest for the model that has the fewest left; undefined when none does by itself. */
export function restingKeys(rests: Rests) {
  const keys = rests.flatMap(rest => ('keys' in rest ? rest.keys : []))
  const [most] = keys.sort((one, other) => other.resting - one.resting)
  return most && { count: most.resting, all: most.all }
}

/** To the minute: a row has no room for more. */
export function lastUntil(rests: Rests): string {
  return clock(Math.max(...rests.map(({ until }) => until))).slice(0, 5)
}

/** Which model, how many keys if not all, why, and until when. */
export function describeRest(rest: Rest): string {
  const { model = restText('allModels'), reason, status, until } = rest
  const why = restReasonTexts[reason][currentLanguage()]
  const keys = restingKeys([rest])
  return restText('line', {
    model: keys ? `${model} · ${restText('keys', keys)}` : model,
    reason: status === undefined ? why : withAside(why, status),
    time: clock(until),
  })
}

/** It is over within minutes, so the day goes without saying. */
function clock(seconds: number): string {
  return formatTime(seconds).slice(11)
}

export async function endRest(id: number): Promise<void> {
  await call(channelEndpoints.endChannelRest, { params: { id } })
  toast.success(restText('ended'))
  await Promise.all([refreshChannels(), queryClient.invalidateQueries({ queryKey: restsOf })])
}
