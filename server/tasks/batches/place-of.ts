import { AppError } from '../../errors.ts'
import type { RelayParts } from '../../relay/parts.ts'
import type { Channel } from '../../relay/routing/channel.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import { baseUrlOf, Upstream } from '../ask-upstream.ts'
import type { TaskAccount } from '../define.ts'
import { keyAt } from '../key-at.ts'
import { hashKey } from '../submit.ts'

/** Nobody can change what is in a batch when its requests are made: channels that want that are left out. */
export function takesBatches(account: TaskAccount, channel: Channel): boolean {
  const { param_override, operations, system_prompt } = channel.setting
  const isPlain = !param_override && !operations && !system_prompt
  return isPlain && account.channelTypes.includes(channel.type) && baseUrlOf(account, channel) !== ''
}

/** Where a file or batch is, with the key of the account that has it; undefined when its channel is gone, or another vendor's. */
export function placeOf(
  parts: RelayParts,
  account: TaskAccount,
  { channel_id, key_hash }: { readonly channel_id: number; readonly key_hash: string },
  request?: Request,
): Upstream | undefined {
  const channel = parts.channels.byId(channel_id)
  const known = channel?.keys.find(one => hashKey(parts, one) === key_hash)
  const key = channel && keyAt(account, channel, known)
  return channel && key !== undefined ? new Upstream(parts, account, { channel, key }, request) : undefined
}

/** What the upstream answers, in words that do not tell how it is asked. `unknown` is what its owner hears when it has it not. */
export async function asOwner<Answer>(answer: Promise<Answer>, unknown: AppError): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    const status = error instanceof UpstreamFailure ? error.problem?.status : undefined
    if (status === 404) throw unknown
    if (status === 401 || status === 402 || status === 403)
      throw new AppError('relay.upstream-failed', {}, error)
    throw error
  }
}
