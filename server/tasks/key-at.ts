import type { Channel } from '../relay/routing/channel.ts'
import type { TaskAccount } from './define.ts'

/**
 * The key of the account that has something: the one it was made with (`known`), where its channel still has that, or
 * else the channel's present one, which may be of the same account; that says itself what it has. Undefined where the
 * channel is another vendor's by now: nobody else is told that one's key.
 */
export function keyAt(
  { channelTypes }: Pick<TaskAccount, 'channelTypes'>,
  { type, key }: Pick<Channel, 'type' | 'key'>,
  known: string | undefined,
): string | undefined {
  return known ?? (channelTypes.includes(type) ? (key ?? '') : undefined)
}
