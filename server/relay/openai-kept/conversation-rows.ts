import type { Selectable } from 'kysely'
import type { OpenaiConversations } from '../../store/openai-schema.ts'
import type { Caller } from '../callers/caller.ts'
import { sharesAnswers } from '../chat/shares-answers.ts'
import type { RelayParts } from '../parts.ts'

export type ConversationRow = Selectable<OpenaiConversations>

/** As long as the longest that is written down. */
const LONGEST_ID = 128

/** The caller's own; somebody else's is as unknown as one that never was. */
export async function findConversation(
  parts: RelayParts,
  caller: Caller,
  id: string,
): Promise<ConversationRow | undefined> {
  if (id.length > LONGEST_ID || id.includes('\0')) return undefined
  const row = await parts.store.db
    .selectFrom('openai_conversations')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const made = { userId: row.user_id, tokenId: row.token_id }
  return (await sharesAnswers(parts, caller, made)) ? row : undefined
}
