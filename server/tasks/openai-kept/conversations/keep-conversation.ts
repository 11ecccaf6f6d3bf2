import type { Kysely } from 'kysely'
import { AppError } from '../../../errors.ts'
import { log } from '../../../log.ts'
import type { ConversationRow } from '../../../relay/openai-kept/conversation-rows.ts'
import type { RelayParts } from '../../../relay/parts.ts'
import type { FoundPlace } from '../../../relay/routing/place.ts'
import { askKeeper, nobody } from '../../../relay/stored-answers/ask-keeper.ts'
import { UpstreamFailure } from '../../../relay/upstream/upstream-failure.ts'
import type { Schema } from '../../../store/schema.ts'
import { UniqueViolation } from '../../../store/store-error.ts'
import { oneByOne } from '../../kept/one-by-one.ts'

/** Of one user's: the vendor keeps them for as long as nobody deletes them. */
const MOST_CONVERSATIONS = 100_000

/** Before one is made. */
export async function refuseTooMany({ store }: RelayParts, userId: number): Promise<void> {
  if (!(await hasRoom(store.db, userId))) throw tooMany()
}

/** One that the vendor has made: it goes from there again where it cannot be noted whose it is. */
export async function keepConversation(
  parts: RelayParts,
  row: ConversationRow,
  place: FoundPlace,
): Promise<void> {
  try {
    await oneByOne(parts, row.user_id, async transaction => {
      if (!(await hasRoom(transaction, row.user_id))) throw tooMany()
      await transaction.insertInto('openai_conversations').values(row).execute()
    })
  } catch (error) {
    // An id that is somebody's already is no answer, and not ours to delete.
    if (error instanceof UniqueViolation) throw new UpstreamFailure({ without: 'empty' }, error)
    await takeBack(parts, row, place)
    throw error
  }
}

async function hasRoom(db: Kysely<Schema>, userId: number): Promise<boolean> {
  const { count } = await db
    .selectFrom('openai_conversations')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count) < MOST_CONVERSATIONS
}

/** What it does not give back costs nothing there, and nobody knows its name. */
async function takeBack(parts: RelayParts, { id }: ConversationRow, place: FoundPlace): Promise<void> {
  try {
    const asking = { method: 'DELETE', beside: 'conversations', path: `/${id}` } as const
    await (await askKeeper(parts, nobody, place, asking)).body?.cancel()
  } catch (error) {
    log.warn('a conversation that could not be noted could not be deleted at its upstream', { error })
  }
}

function tooMany(): AppError {
  return new AppError('kept.too-many-conversations', { limit: MOST_CONVERSATIONS })
}
