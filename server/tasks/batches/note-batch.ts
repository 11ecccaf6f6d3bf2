import type { RelayParts } from '../../relay/parts.ts'
import { updateRecord } from '../records.ts'
import { asRecord } from './as-record.ts'
import { type BatchRow, batchStates } from './batch-rows.ts'
import type { BatchReport } from './host.ts'

/** What its upstream has not known for so long will not come back. */
export const LOST_SECONDS = 1800

/** The upstream has it. False when it was given up before; whoever looks after it may have found it first. */
export async function acceptBatch(
  parts: RelayParts,
  id: string,
  report: BatchReport,
  inSeconds: number,
): Promise<boolean> {
  const now = parts.now()
  const upstream_id = report.upstreamId.slice(0, 191)
  return parts.store.transaction(async transaction => {
    const { numUpdatedRows } = await transaction
      .updateTable('batches')
      .set({
        state: batchStates.running,
        upstream_id,
        // That it is over is told by whoever has settled it.
        data: report.isOver ? '' : JSON.stringify(report.data),
        next_poll_at: now + inSeconds,
      })
      .where('id', '=', id)
      .where('state', '=', batchStates.submitting)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) {
      const found = transaction.selectFrom('batches').select('upstream_id').where('id', '=', id)
      return (await found.executeTakeFirst())?.upstream_id === upstream_id
    }
    await updateRecord(transaction, 'tasks', { id, report: asRecord({ ...report, isOver: false }), now })
    return true
  })
}

export async function noteReport(parts: RelayParts, batch: BatchRow, report: BatchReport): Promise<void> {
  await parts.store.transaction(async transaction => {
    const { numUpdatedRows } = await transaction
      .updateTable('batches')
      .set({ data: JSON.stringify(report.data), lost_at: 0, checked_at: parts.now() })
      .where('id', '=', batch.id)
      .where('state', '=', batchStates.running)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await updateRecord(transaction, 'tasks', { id: batch.id, report: asRecord(report), now: parts.now() })
  })
}

/** Whether what is missing has been missing long enough; from now on, if it was not. */
export async function isLostForGood(parts: RelayParts, batch: BatchRow): Promise<boolean> {
  const now = parts.steadyNow()
  if (batch.lost_at !== 0) return batch.lost_at + LOST_SECONDS <= now
  await parts.store.db.updateTable('batches').set({ lost_at: now }).where('id', '=', batch.id).execute()
  return false
}
