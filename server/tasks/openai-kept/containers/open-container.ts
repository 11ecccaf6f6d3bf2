import { AppError } from '../../../errors.ts'
import { lockedQuota } from '../../../ledger/entries.ts'
import { makeLasting } from '../../../ledger/lasting-hold.ts'
import { type ContainerRow, containerStates } from '../../../relay/openai-kept/container-rows.ts'
import type { RelayParts } from '../../../relay/parts.ts'
import { type FoundPlace, hashAccount } from '../../../relay/routing/place.ts'

/** Of one user's of the last day, besides those that answers have made. */
const MOST_CONTAINERS = 1000

/** What is held belongs to the container from here on: whoever finds it unfinished pays or gives back. */
export async function openContainer({ store }: RelayParts, row: ContainerRow): Promise<void> {
  await store.transaction(async transaction => {
    // Whoever has the user's row is alone with that user's containers.
    await lockedQuota(transaction, store, row.user_id)
    const { count } = await transaction
      .selectFrom('openai_containers')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('user_id', '=', row.user_id)
      .where('request_id', '<>', '')
      .executeTakeFirstOrThrow()
    if (Number(count) >= MOST_CONTAINERS)
      throw new AppError('kept.too-many-containers', { limit: MOST_CONTAINERS })
    if (!(await makeLasting(transaction, row.request_id))) throw new AppError('task.interrupted')
    await transaction.insertInto('openai_containers').values(row).execute()
  })
}

/** Before its vendor is asked: there somebody looks for it if nobody hears the answer. */
export async function notePlace(
  parts: RelayParts,
  mark: string,
  { channel, key }: FoundPlace,
): Promise<void> {
  const { numUpdatedRows } = await parts.store.db
    .updateTable('openai_containers')
    .set({ channel_id: channel.id, key_hash: hashAccount(parts, key), changed_at: parts.now() })
    .where('mark', '=', mark)
    .where('state', '=', containerStates.making)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new AppError('task.interrupted')
}
