import type { Selectable } from 'kysely'
import { sharedTokens } from '../../relay/chat/shares-answers.ts'
import type { Batches, BatchState } from '../../store/batch-schema.ts'
import type { OwnedCall } from '../define.ts'
import type { BatchHost } from './host.ts'

export type BatchRow = Selectable<Batches>

export const batchStates = {
  submitting: 'submitting',
  running: 'running',
  abandoned: 'abandoned',
  ended: 'ended',
  dropped: 'dropped',
} as const satisfies { readonly [State in BatchState]: State }

export const unfinished = [batchStates.submitting, batchStates.running, batchStates.abandoned]

/** Later ones are greater: lists go by that. */
export function newBatchId(prefix: string): string {
  return `${prefix}${Bun.randomUUIDv7('hex').replaceAll('-', '')}`
}

/** Those of a caller's that can be named: in a team, of their maker's tokens, and all of them for owners. */
export async function ownBatches({ parts, admitted: { caller } }: OwnedCall) {
  const shared = await sharedTokens(parts, caller)
  const own = parts.store.db
    .selectFrom('batches')
    .selectAll()
    .where('user_id', '=', caller.userId)
    .where('upstream_id', '<>', '')
  return { rows: shared ? own.where('token_id', 'in', shared) : own }
}

/** The caller's own batch; somebody else's is as unknown as one that never was. */
export async function findBatch(
  { runs, unknown }: Pick<BatchHost, 'runs' | 'unknown'>,
  call: OwnedCall,
  id = call.params.id ?? '',
): Promise<BatchRow> {
  const { rows } = await ownBatches(call)
  const row = await rows.where('id', '=', id.slice(0, 64)).executeTakeFirst()
  if (!row || !runs(row.endpoint)) throw unknown(id.slice(0, 64))
  return row
}
