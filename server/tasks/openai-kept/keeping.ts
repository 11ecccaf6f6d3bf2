import { AppError } from '../../errors.ts'
import type { Place } from '../../relay/routing/place.ts'
import { keepsBeside } from '../../relay/stored-answers/ask-keeper.ts'
import type { Keeping } from '../choose-places.ts'
import type { OwnedCall } from '../define.ts'

/** The largest answer about what is kept; as large as one that is made. */
export const LARGEST_ANSWER = 64 * 1024 * 1024

/** Where what is made for a caller goes: one request can name only what is together in one account. */
export function keeping({ parts, admitted }: OwnedCall): Keeping {
  const { caller, group } = admitted
  return {
    can: keepsBeside,
    latest: () => latestPlace(parts, caller.userId, keepsBeside),
    none: () => new AppError('kept.no-place', { group }),
  }
}

/** Where the newest is of what the caller has, of what such a channel keeps. */
export async function latestPlace(
  parts: OwnedCall['parts'],
  userId: number,
  can: Keeping['can'],
): Promise<Place | undefined> {
  const { db } = parts.store
  const columns = ['channel_id', 'key_hash', 'created_at'] as const
  const conversation = await db
    .selectFrom('openai_conversations')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const container = await db
    .selectFrom('openai_containers')
    .select(columns)
    .where('user_id', '=', userId)
    .where('channel_id', '>', 0)
    .orderBy('mark', 'desc')
    .limit(1)
    .executeTakeFirst()
  const file = await db
    .selectFrom('openai_files')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('mark', 'desc')
    .limit(1)
    .executeTakeFirst()
  return [conversation, container, file]
    .flatMap(one => one ?? [])
    .sort((one, other) => other.created_at - one.created_at)
    .find(one => {
      const channel = parts.channels.byId(one.channel_id)
      return channel && can(channel)
    })
}

/** What the vendor said, as it said it. */
export function asJson(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'application/json' } })
}
