import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import { type BatchRow, batchStates, findBatch, ownBatches } from '../batches/batch-rows.ts'
import { noteReport } from '../batches/note-batch.ts'
import { asOwner, placeOf } from '../batches/place-of.ts'
import { pollBatchNow } from '../batches/poll-batches.ts'
import type { OwnedCall } from '../define.ts'
import { readPage, showPage } from '../page.ts'
import { account } from './account.ts'
import { openaiHost } from './host.ts'
import { readBatch } from './read-batch.ts'
import { endpoints } from './read-line.ts'
import { showBatch } from './show-batch.ts'

const USUAL = 20
const MOST = 100

/** The caller's own, the newest first. */
export async function listBatches(call: OwnedCall): Promise<Response> {
  const page = readPage(new URL(call.incoming.request.url).searchParams, USUAL, MOST)
  let rows = (await ownBatches(call)).rows.where('endpoint', 'in', endpoints)
  if (page.after) rows = rows.where('id', '<', page.after)
  const found = await rows
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()
  return showPage(found, page, showBatch)
}

export async function retrieveBatch(call: OwnedCall): Promise<Response> {
  await pollBatchNow(openaiHost, call.parts, await find(call))
  return Response.json(showBatch(await find(call)))
}

/** What was answered until then is paid when the upstream says that it is over. */
export async function cancelBatch(call: OwnedCall): Promise<Response> {
  const { parts, incoming } = call
  const batch = await find(call)
  if (batch.state !== batchStates.running) throw new AppError('batch.ended')
  const upstream = placeOf(parts, account, batch, incoming.request)
  const unknown = new AppError('batch.not-found', { id: batch.id })
  if (!upstream) throw unknown
  incoming.keepOpen()
  const path = `/v1/batches/${encodeURIComponent(batch.upstream_id)}/cancel`
  const report = readBatch(upstream, await asOwner(upstream.json({ method: 'POST', path }), unknown), batch)
  if (!report) throw new UpstreamFailure({ without: 'empty' })
  if (!report.isOver) await noteReport(parts, batch, report)
  log.info('a batch was cancelled', { batch: batch.id, status: report.status })
  return Response.json(showBatch(await find(call)))
}

function find(call: OwnedCall): Promise<BatchRow> {
  return findBatch(openaiHost, call)
}
