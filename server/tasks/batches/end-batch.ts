import type { Transaction } from 'kysely'
import { logTypes } from '../../../contract/log-types.ts'
import type { AppError } from '../../errors.ts'
import { requestOf } from '../../ledger/lasting-hold.ts'
import type { RelayParts } from '../../relay/parts.ts'
import type { Schema } from '../../store/schema.ts'
import type { Upstream } from '../ask-upstream.ts'
import { ended } from '../end-run.ts'
import { failedReport } from '../failed-report.ts'
import { updateRecord } from '../records.ts'
import { otherOf, rowOfOrder } from '../row-of-order.ts'
import { addUpOutput, estimateOutput, type Used } from './add-up-output.ts'
import { asRecord } from './as-record.ts'
import { type BatchRow, batchStates } from './batch-rows.ts'
import { chargeBatch } from './charge-batch.ts'
import type { BatchHost, BatchReport, Last } from './host.ts'
import { isLostForGood } from './note-batch.ts'
import { type ModelPrice, pricesOf } from './prices.ts'

/**
 * A batch is over: what was answered is paid, the rest of what was held comes back, and then its owner is told and
 * gets what it made. Whoever dies in between leaves it for the next, who finds the same answers, and the hold closed
 * or not: it closes once.
 */
export async function endBatch(
  host: BatchHost,
  parts: RelayParts,
  batch: BatchRow,
  upstream: Upstream,
  report: BatchReport,
): Promise<void> {
  const prices = await pricesOf(parts, batch)
  let used = await addUpOutput(host, upstream, batch, report, prices)
  if (!used) {
    if (!(await isLostForGood(parts, batch))) return
    used = estimateOutput(host, batch, report, prices)
  }
  const record = asRecord(report)
  const charged = await settle(parts, batch, prices, used, record.failReason || report.status)
  const { platform } = host
  await close(parts, platform, batch, record, charged, async transaction => ({
    data: JSON.stringify(report.data),
    ...(await host.keepOutput(transaction, parts, batch, report, used)),
  }))
}

/** It comes to nothing, and so does what was held. */
export async function endWithout(
  { platform, failedData }: BatchHost,
  parts: RelayParts,
  given: BatchRow,
  why: AppError,
): Promise<void> {
  const batch = await giveUp(parts, given)
  if (!batch) return
  await parts.ledger.release(requestOf(batch), await logRow(parts, batch, logTypes.error, why.text('zh')))
  const data = failedData(parts, batch, why.text('en'))
  await close(parts, platform, batch, failedReport(why), 0, async () => ({ data }))
}

/**
 * Before what is held for one that is being submitted comes back: whoever submits it may hear from the upstream in the
 * next moment, and it would run for nothing. Undefined when they have.
 */
async function giveUp({ store }: RelayParts, batch: BatchRow): Promise<BatchRow | undefined> {
  if (batch.state !== batchStates.submitting) return batch
  const { abandoned: state } = batchStates
  const { numUpdatedRows } = await store.db
    .updateTable('batches')
    .set({ state })
    .where('id', '=', batch.id)
    .where('state', '=', batch.state)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? { ...batch, state } : undefined
}

/** It never began, and what was held has come back. */
export async function dropBatch(parts: RelayParts, id: string, why: string): Promise<void> {
  await parts.store.transaction(async transaction => {
    await transaction
      .updateTable('batches')
      .set({ state: batchStates.dropped })
      .where('id', '=', id)
      .where('state', '=', batchStates.submitting)
      .execute()
    await updateRecord(transaction, 'tasks', { id, report: failedReport(why), now: parts.now() })
  })
}

async function settle(
  parts: RelayParts,
  batch: BatchRow,
  prices: readonly ModelPrice[],
  used: Used,
  how: string,
): Promise<number> {
  const of = requestOf(batch)
  if (used.models.every(({ answered }) => answered === 0)) {
    await parts.ledger.release(of, await logRow(parts, batch, logTypes.error, how))
    return 0
  }
  const costRatio = parts.channels.byId(batch.channel_id)?.setting.cost_ratio
  const models = chargeBatch(prices, used, costRatio)
  const quota = models.reduce((sum, charge) => sum + charge.quota, 0)
  const row = await logRow(parts, batch, logTypes.consumption, '')
  return parts.ledger.settle(of, quota, {
    ...row,
    models: models.map(({ details, ...figures }) => ({
      ...figures,
      ...(prices.length === 1 && { model_name: batch.model }),
      other: otherOf(batch.channel_id, { ...details, batch_id: batch.id }),
    })),
    ...(parts.settings.get('LogConsumeEnabled') ? {} : { unwritten: true }),
  })
}

function logRow(parts: RelayParts, batch: BatchRow, type: number, content: string) {
  return rowOfOrder(parts, batch, type, content, { batch_id: batch.id })
}

async function close(
  parts: RelayParts,
  platform: string,
  { id, state, channel_id }: BatchRow,
  report: ReturnType<typeof asRecord>,
  quota: number,
  last: (transaction: Transaction<Schema>) => Promise<Last>,
): Promise<void> {
  const isOurs = await parts.store.transaction(async transaction => {
    // First the state: of all who end it, one goes on from here.
    const { numUpdatedRows } = await transaction
      .updateTable('batches')
      .set({ state: batchStates.ended })
      .where('id', '=', id)
      .where('state', '=', state)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await transaction
      .updateTable('batches')
      .set(await last(transaction))
      .where('id', '=', id)
      .execute()
    const submitted = { code: 0, channelId: channel_id, quota }
    await updateRecord(transaction, 'tasks', { id, report, now: parts.now(), submitted })
    return true
  })
  if (isOurs) ended.increment({ platform, outcome: report.outcome })
}
