import { refuseField } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import { type BatchRow, batchStates, findBatch, ownBatches } from '../batches/batch-rows.ts'
import { noteReport } from '../batches/note-batch.ts'
import { asOwner, placeOf } from '../batches/place-of.ts'
import { pollBatchNow } from '../batches/poll-batches.ts'
import type { OwnedCall } from '../define.ts'
import { readLimit, readSought } from '../page.ts'
import { account, ENDPOINT, pathOf, spokenBy } from './account.ts'
import { anthropicHost } from './host.ts'
import { readBatch } from './read-batch.ts'
import { showBatch } from './show-batch.ts'

const USUAL = 20
const MOST = 1000

/** The caller's own, the newest first. Before one are those that are newer than it. */
export async function listBatches(call: OwnedCall): Promise<Response> {
  const { parts, incoming } = call
  const query = new URL(incoming.request.url).searchParams
  const limit = readLimit(query.get('limit'), USUAL, MOST)
  const [before, after] = [readSought(query, 'before_id'), readSought(query, 'after_id')]
  if (before && after) refuseField('before_id', 'field.twice', { other: 'after_id' })
  let rows = (await ownBatches(call)).rows.where('endpoint', '=', ENDPOINT)
  if (before) rows = rows.where('id', '>', before)
  if (after) rows = rows.where('id', '<', after)
  const found = await rows
    .orderBy('id', before ? 'asc' : 'desc')
    .limit(limit + 1)
    .execute()
  const page = found.slice(0, limit)
  if (before) page.reverse()
  return Response.json({
    data: page.map(row => showBatch(parts, row, incoming.request)),
    has_more: found.length > limit,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  })
}

export async function retrieveBatch(call: OwnedCall): Promise<Response> {
  return show(call, await lookUp(call))
}

/** What was answered until then is paid when the upstream says that it is over. */
export async function cancelBatch(call: OwnedCall): Promise<Response> {
  const { parts, incoming } = call
  const batch = await findBatch(anthropicHost, call)
  if (batch.state !== batchStates.running) throw new AppError('batch.ended')
  const upstream = placeOf(parts, account, batch, incoming.request)
  const unknown = new AppError('batch.not-found', { id: batch.id })
  if (!upstream) throw unknown
  incoming.keepOpen()
  const asked = upstream.json({
    method: 'POST',
    path: pathOf(batch, '/cancel'),
    headers: spokenBy(incoming.request),
  })
  const report = readBatch(await asOwner(asked, unknown))
  if (!report) throw new UpstreamFailure({ without: 'empty' })
  if (!report.isOver) await noteReport(parts, batch, report)
  log.info('a batch was cancelled', { batch: batch.id, status: report.status })
  return show(call, await findBatch(anthropicHost, call))
}

/** At the upstream, then here. What is not over yet is not paid yet. */
export async function deleteBatch(call: OwnedCall): Promise<Response> {
  const { parts, incoming } = call
  const batch = await lookUp(call)
  if (batch.state !== batchStates.ended) throw new AppError('batch.not-ended')
  incoming.keepOpen()
  const upstream = placeOf(parts, account, batch, incoming.request)
  const gone = new AppError('batch.not-found', { id: batch.id })
  try {
    const asked = upstream?.send({
      method: 'DELETE',
      path: pathOf(batch),
      headers: spokenBy(incoming.request),
    })
    if (asked) await (await asOwner(asked, gone)).body?.cancel()
  } catch (error) {
    // It may be gone already.
    if (error !== gone) throw error
  }
  await parts.store.db
    .deleteFrom('batches')
    .where('id', '=', batch.id)
    .where('state', '=', batchStates.ended)
    .execute()
  return Response.json({ id: batch.id, type: 'message_batch_deleted' })
}

/** As it is by now. */
export async function lookUp(call: OwnedCall): Promise<BatchRow> {
  await pollBatchNow(anthropicHost, call.parts, await findBatch(anthropicHost, call))
  return findBatch(anthropicHost, call)
}

function show({ parts, incoming }: OwnedCall, batch: BatchRow): Response {
  return Response.json(showBatch(parts, batch, incoming.request))
}
