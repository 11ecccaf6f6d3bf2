import type { ConversationRow } from '../../../relay/openai-kept/conversation-rows.ts'
import { unknownConversation } from '../../../relay/openai-kept/lead-to-kept.ts'
import type { RelayParts } from '../../../relay/parts.ts'
import { findPlace } from '../../../relay/routing/place.ts'
import { askForOwner, nobody } from '../../../relay/stored-answers/ask-keeper.ts'

/** At its vendor, where it may be gone already, and then here. Where nobody has the key any more, here alone. */
export async function deleteThere(
  parts: RelayParts,
  row: Pick<ConversationRow, 'id' | 'channel_id' | 'key_hash'>,
  request = nobody,
): Promise<void> {
  const { id } = row
  const gone = unknownConversation(id)
  const place = findPlace(parts, row)
  try {
    const asking = { method: 'DELETE', beside: 'conversations', path: `/${id}` } as const
    if (place) await (await askForOwner(parts, request, place, asking, gone)).body?.cancel()
  } catch (error) {
    if (error !== gone) throw error
  }
  await parts.store.db.deleteFrom('openai_conversations').where('id', '=', id).execute()
}
