import type { Selectable } from 'kysely'
import { AppError } from '../../errors.ts'
import type { Batches, BatchState } from '../../store/batch-schema.ts'
import type { OwnedCall } from '../define.ts'

export type BatchRow = Selectable<Batches>

export const batchStates = {
  submitting: 'submitting',
  running: 'running',
  ended: 'ended',
  dropped: 'dropped',
} as const satisfies { readonly [State in BatchState]: State }

export const unfinished = [batchStates.submitting, batchStates.running]

/** Under this the upstream keeps our name for it: what it took while we died can be found by that. */
export const OUR_NAME = 'gateway_batch'

/** Later ones are greater: lists go by that. */
export function newBatchId(): string {
  return `batch_${Bun.randomUUIDv7('hex').replaceAll('-', '')}`
}

/** Whose money it spends, for the ledger. */
export function requestOf({ request_id, user_id, token_id }: BatchRow) {
  return { id: request_id, userId: user_id, tokenId: token_id }
}

/** The caller's own batch; somebody else's is as unknown as one that never was. */
export async function findBatch(
  { parts, admitted, params }: OwnedCall,
  id = params.id ?? '',
): Promise<BatchRow> {
  const row = await parts.store.db
    .selectFrom('batches')
    .selectAll()
    .where('id', '=', id.slice(0, 64))
    .where('user_id', '=', admitted.caller.userId)
    .where('upstream_id', '<>', '')
    .executeTakeFirst()
  if (!row) throw new AppError('batch.not-found', { id: id.slice(0, 64) })
  return row
}
