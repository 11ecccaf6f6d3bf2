import { AppError } from '../../../errors.ts'
import { log } from '../../../log.ts'
import { batchStates, findBatch, ownBatches } from '../../batches/batch-rows.ts'
import { pollBatchNow } from '../../batches/poll-batches.ts'
import type { OwnedCall } from '../../define.ts'
import { addressOf, asOwner, deleteThere, upstreamAt } from '../account.ts'
import { cutPage, readPage } from '../page.ts'
import { guardAnswers } from './guard-answers.ts'
import { ENDPOINT, geminiHost } from './host.ts'
import { isBare, showBatch } from './show-batch.ts'

const USUAL = 50
const MOST = 100

/** The caller's own, the newest first, without what they answered. */
export async function listBatches(call: OwnedCall): Promise<Response> {
  const page = readPage(call.incoming.request.url, USUAL, MOST)
  let own = (await ownBatches(call)).rows.where('endpoint', '=', ENDPOINT)
  if (page.after) own = own.where('id', '<', page.after)
  const found = await own
    .orderBy('id', 'desc')
    .limit(page.size + 1)
    .execute()
  const { rows, next } = cutPage(found, page)
  return Response.json({ ...(rows.length > 0 && { operations: rows.map(row => showBatch(row)) }), ...next })
}

/** With what it answered, once that is paid: only its vendor has that, who is asked for it and for nothing else. */
export async function retrieveBatch(call: OwnedCall): Promise<Response> {
  const { parts, incoming } = call
  incoming.keepOpen()
  await pollBatchNow(geminiHost, parts, await findBatch(geminiHost, call))
  const batch = await findBatch(geminiHost, call)
  const upstream =
    batch.state === batchStates.ended && !isBare(batch)
      ? upstreamAt(parts, batch, incoming.request)
      : undefined
  const report = upstream && (await geminiHost.look(upstream, batch))
  if (!report || report === 'unknown' || !report.answers) return Response.json(showBatch(batch))
  const guarded = guardAnswers(call, batch)
  return Response.json(showBatch(batch, guarded ? report.answers.map(guarded) : report.answers))
}

/** What was answered until then is paid when the vendor says that it is over. */
export async function cancelBatch(call: OwnedCall): Promise<Response> {
  const { parts, incoming } = call
  const batch = await findBatch(geminiHost, call)
  if (batch.state !== batchStates.running) return Response.json({})
  const unknown = geminiHost.unknown(batch.id)
  const upstream = upstreamAt(parts, batch, incoming.request)
  if (!upstream) throw unknown
  incoming.keepOpen()
  const path = addressOf(upstream.channel, `/v1beta/${batch.upstream_id}:cancel`)
  await (await asOwner(upstream.send({ method: 'POST', path }), unknown)).body?.cancel()
  log.info('a batch was cancelled', { batch: batch.id })
  return Response.json({})
}

/** At the vendor, then here; not while somebody has to hear from it what was answered. */
export async function deleteBatch(call: OwnedCall): Promise<Response> {
  const batch = await findBatch(geminiHost, call)
  if (batch.state !== batchStates.ended) throw new AppError('gemini.batch-runs')
  await deleteThere(call, { ...batch, upstream_name: batch.upstream_id }, geminiHost.unknown(batch.id))
  await call.parts.store.db.deleteFrom('batches').where('id', '=', batch.id).execute()
  return Response.json({})
}
