import type { Transaction } from 'kysely'
import { logTypes } from '../../../contract/log-types.ts'
import type { AppError } from '../../errors.ts'
import type { LogRow } from '../../ledger/moves.ts'
import type { PriceSnapshot } from '../../ledger/price/price-snapshot.ts'
import type { RelayParts } from '../../relay/parts.ts'
import type { Schema } from '../../store/schema.ts'
import type { Upstream } from '../ask-upstream.ts'
import { ended } from '../end-run.ts'
import { failedReport } from '../failed-report.ts'
import { updateRecord } from '../records.ts'
import { PLATFORM } from './account.ts'
import { addUpOutput, estimateOutput, type Used } from './add-up-output.ts'
import { type BatchRow, batchStates, requestOf } from './batch-rows.ts'
import { chargeBatch } from './charge-batch.ts'
import { newFileId } from './file-rows.ts'
import { isLostForGood } from './note-batch.ts'
import { asRecord, type BatchReport } from './read-batch.ts'

/**
 * A batch is over: what was answered is paid, the rest of what was held comes back, and then its owner is told and
 * gets what it made. Whoever dies in between leaves it for the next, who finds the same answers, and the hold closed
 * or not: it closes once.
 */
export async function endBatch(
  parts: RelayParts,
  batch: BatchRow,
  upstream: Upstream,
  report: BatchReport,
): Promise<void> {
  const hold = await parts.store.db
    .selectFrom('holds')
    .selectAll()
    .where('id', '=', batch.request_id)
    .executeTakeFirstOrThrow()
  const price = JSON.parse(hold.price) as PriceSnapshot
  let used = await addUpOutput(upstream, batch, report, price)
  if (!used) {
    if (!(await isLostForGood(parts, batch))) return
    used = estimateOutput(batch, report)
  }
  const record = asRecord(report)
  const charged = await settle(parts, batch, price, used, record.failReason || report.status)
  await close(parts, batch, record, charged, async transaction => ({
    data: JSON.stringify(report.data),
    output_file_id: await addFile(transaction, parts, batch, report.outputFileId, 'output', used.bytes),
    error_file_id: await addFile(transaction, parts, batch, report.errorFileId, 'error', 0),
  }))
}

/** It comes to nothing, and so does what was held. */
export async function endWithout(parts: RelayParts, batch: BatchRow, why: AppError): Promise<void> {
  await parts.ledger.release(requestOf(batch), await logRow(parts, batch, logTypes.error, why.text('zh'), {}))
  await close(parts, batch, failedReport(why), 0, async () => ({ data: failedData(parts, why.text('en')) }))
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
  price: PriceSnapshot,
  used: Used,
  how: string,
): Promise<number> {
  const of = requestOf(batch)
  if (used.answered === 0) {
    await parts.ledger.release(of, await logRow(parts, batch, logTypes.error, how, {}))
    return 0
  }
  const costRatio = parts.channels.byId(batch.channel_id)?.setting.cost_ratio
  const { quota, cost, promptTokens, completionTokens, details } = chargeBatch(price, used, costRatio)
  const row = await logRow(parts, batch, logTypes.consumption, '', details)
  return parts.ledger.settle(of, quota, {
    ...row,
    ...{ prompt_tokens: promptTokens, completion_tokens: completionTokens, cost },
    ...(parts.settings.get('LogConsumeEnabled') ? {} : { unwritten: true }),
  })
}

async function logRow(
  { store, now }: RelayParts,
  batch: BatchRow,
  type: number,
  content: string,
  details: object,
): Promise<LogRow> {
  const { user_id, token_id, channel_id } = batch
  const user = await store.db
    .selectFrom('users')
    .select('username')
    .where('id', '=', user_id)
    .executeTakeFirst()
  const token = await store.db
    .selectFrom('tokens')
    .select('name')
    .where('id', '=', token_id)
    .executeTakeFirst()
  const hold = await store.db
    .selectFrom('holds')
    .select('labels')
    .where('id', '=', batch.request_id)
    .executeTakeFirst()
  return {
    created_at: now(),
    type,
    user_id,
    username: user?.username ?? '',
    token_id,
    token_name: token?.name ?? '',
    model_name: batch.model,
    channel_id,
    group: batch.group,
    is_stream: 0,
    // Nobody waited for it.
    use_time: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    request_id: batch.request_id,
    labels: hold?.labels ?? undefined,
    content,
    other: JSON.stringify({
      ...details,
      batch_id: batch.id,
      admin_info: { use_channel: [String(channel_id)] },
    }),
  }
}

type Last = Partial<Pick<BatchRow, 'data' | 'output_file_id' | 'error_file_id'>>

async function close(
  parts: RelayParts,
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
  if (isOurs) ended.increment({ platform: PLATFORM, outcome: report.outcome })
}

/** What it made belongs to whom the batch does. */
async function addFile(
  transaction: Transaction<Schema>,
  parts: RelayParts,
  batch: BatchRow,
  upstreamId: string | undefined,
  kind: 'output' | 'error',
  bytes: number,
): Promise<string> {
  if (!upstreamId) return ''
  const id = newFileId()
  await transaction
    .insertInto('files')
    .values({
      ...{ id, user_id: batch.user_id, channel_id: batch.channel_id, key_hash: batch.key_hash },
      upstream_id: upstreamId.slice(0, 191),
      purpose: 'batch_output',
      filename: `${batch.id}_${kind}.jsonl`,
      bytes,
      created_at: parts.now(),
      ...{ expires_at: 0, endpoint: '', model: '', line_count: 0, input_bound: 0, longest_input: 0 },
      ...{ output_bound: 0, answers: 0, open_answers: 0, has_media: 0, thinks: 0 },
    })
    .execute()
  return id
}

function failedData({ now }: RelayParts, message: string): string {
  const data = [{ code: 'failed', line: null, message, param: null }]
  return JSON.stringify({ status: 'failed', failed_at: now(), errors: { object: 'list', data } })
}
