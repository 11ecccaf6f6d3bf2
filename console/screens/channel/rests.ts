import type { ChannelRestView } from '../../../contract/channel-rests.ts'
import { channelEndpoints } from '../../../contract/channels.ts'
import { fill, type Params } from '../../../contract/language.ts'
import { call } from '../../api.ts'
import { formatTime } from '../../format.ts'
import { queryClient } from '../../query-client.ts'
import { currentLanguage } from '../../text.ts'
import { toast } from '../../ui/toast.ts'
import { refreshChannels } from './channels-query.ts'
import { restReasonTexts, restTexts } from './rest-words.ts'

export type Rests = readonly ChannelRestView[]
/** The beginning of the key of what is known of one channel's. */
export const restsOf = ['channels', 'rests-of'] as const

export function restText(text: keyof typeof restTexts, params: Params = {}): string {
  return fill(restTexts[text][currentLanguage()], params)
}

/** To the minute: a row has no room for more. */
export function lastUntil(rests: Rests): string {
  return clock(Math.max(...rests.map(({ until }) => until))).slice(0, 5)
}

/** Which model, why, and until when. */
export function describeRest({ model, reason, status, until }: ChannelRestView): string {
  const why = restReasonTexts[reason][currentLanguage()]
  return restText('line', {
    model: model ?? restText('allModels'),
    reason: status === undefined ? why : `${why} (${status})`,
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
