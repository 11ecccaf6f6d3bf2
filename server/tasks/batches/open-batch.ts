import { AppError } from '../../errors.ts'
import { lockedQuota } from '../../ledger/entries.ts'
import { makeLasting } from '../../ledger/lasting-hold.ts'
import type { Order } from '../../relay/order/order.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { openRecord } from '../records.ts'
import { type BatchRow, batchStates, unfinished } from './batch-rows.ts'
import type { Extent } from './extent.ts'
import type { ModelPrice } from './prices.ts'

/** Of one user's at a time. */
const MOST_OPEN = 100
/** A submission that has left nothing open after this long has died with its process. */
const SUBMITTING_SECONDS = 120

/** A batch that is about to be begun. */
export interface Opening
  extends Pick<BatchRow, 'id' | 'channel_id' | 'key_hash' | 'file_id' | 'completion_window' | 'metadata'> {
  /** Of all its models, where there are several. */
  readonly prices?: readonly ModelPrice[] | undefined
  readonly platform: string
  readonly extent: Extent
  /** What people see that it is made of. */
  readonly title: string
  /** What is held for it. */
  readonly quota: number
}

/** Who is asked to run it. */
export type BatchPlace = Pick<BatchRow, 'channel_id' | 'key_hash'>

export const nowhereYet: BatchPlace = { channel_id: 0, key_hash: '' }

/** Its row, to which the hold belongs from then on, whoever lives. */
export async function openBatch(order: Order, opening: Opening): Promise<void> {
  const { parts, incoming, admitted, group } = order
  const { platform, extent, title, quota, prices, ...row } = opening
  const { model, endpoint, line_count, input_bound } = extent
  const { userId, tokenId } = admitted.caller
  const now = parts.now()
  await parts.store.transaction(async transaction => {
    // Whoever has the user's row is alone with that user's batches.
    await lockedQuota(transaction, parts.store, userId)
    const { open } = await transaction
      .selectFrom('batches')
      .select(rows => rows.fn.countAll().as('open'))
      .where('user_id', '=', userId)
      .where('state', 'in', unfinished)
      .executeTakeFirstOrThrow()
    if (Number(open) >= MOST_OPEN) throw new AppError('batch.too-many', { limit: MOST_OPEN })
    if (!(await makeLasting(transaction, incoming.requestId))) throw new AppError('task.interrupted')
    await transaction
      .insertInto('batches')
      .values({
        ...row,
        ...{ user_id: userId, token_id: tokenId, upstream_id: '' },
        ...{ endpoint, model, group, request_id: incoming.requestId, state: batchStates.submitting },
        ...{ line_count, input_bound },
        prices: prices ? JSON.stringify(prices) : null,
        data: '',
        output_file_id: '',
        error_file_id: '',
        submitted_at: now,
        lost_at: 0,
        checked_at: now,
        next_poll_at: now + SUBMITTING_SECONDS,
        claim: '',
      })
      .execute()
    const record = { id: row.id, platform, userId, action: 'BATCH', state: '', quota, now }
    await openRecord(transaction, 'tasks', { ...record, input: title, properties: { model, endpoint } })
  })
}

/** To the channel that is asked next, before it is: there somebody looks for it if nobody hears the answer. */
export async function moveBatch({ store, now }: RelayParts, id: string, place: BatchPlace): Promise<void> {
  const { numUpdatedRows } = await store.db
    .updateTable('batches')
    .set({ ...place, next_poll_at: now() + SUBMITTING_SECONDS })
    .where('id', '=', id)
    .where('state', '=', batchStates.submitting)
    .executeTakeFirst()
  // It has been given up meanwhile.
  if (numUpdatedRows === 0n) throw new AppError('task.interrupted')
}
