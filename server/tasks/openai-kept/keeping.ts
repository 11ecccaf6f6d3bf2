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
    latest: () => latestPlace(parts, caller.userId),
    none: () => new AppError('kept.no-place', { group }),
  }
}

async function latestPlace({ store }: OwnedCall['parts'], userId: number): Promise<Place | undefined> {
  const columns = ['channel_id', 'key_hash', 'created_at'] as const
  const conversation = await store.db
    .selectFrom('openai_conversations')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const container = await store.db
    .selectFrom('openai_containers')
    .select(columns)
    .where('user_id', '=', userId)
    .where('channel_id', '>', 0)
    .orderBy('mark', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!conversation || !container) return conversation ?? container
  return conversation.created_at >= container.created_at ? conversation : container
}

/** What the vendor said, as it said it. */
export function asJson(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'application/json' } })
}
