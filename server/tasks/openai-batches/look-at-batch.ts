import { asArray, asNumber, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import type { Upstream } from '../ask-upstream.ts'
import { saysUnknown } from '../openai-account.ts'
import { placeOf } from './account.ts'
import { type BatchRow, batchStates, OUR_NAME } from './batch-rows.ts'
import { endBatch, endWithout } from './end-batch.ts'
import { acceptBatch, isLostForGood, LOST_SECONDS, noteReport } from './note-batch.ts'
import { type BatchReport, readBatch } from './read-batch.ts'

const DAY = 86_400
/** One that has not ended by then will not: vendors give themselves a day. */
const LIMIT_SECONDS = 14 * DAY
/** A submission that its upstream does not tell of after this long has never reached it. */
const NEVER_BEGUN_SECONDS = 300
/** By so much at most the vendor's clock and ours may differ. */
const CLOCKS_SECONDS = DAY
/** Of a hundred: no account begins so many batches before somebody has looked. */
const MOST_PAGES = 50

/** Asks after one batch, and ends it if it is over. */
export async function lookAtBatch(parts: RelayParts, batch: BatchRow): Promise<void> {
  const upstream = placeOf(parts, batch)
  if (!upstream) return endWithout(parts, batch, new AppError('task.channel-gone'))
  const isLate = batch.submitted_at + LIMIT_SECONDS <= parts.steadyNow()
  try {
    if (batch.state === batchStates.submitting) return await findSubmitted(parts, batch, upstream)
    const report = await askAfter(upstream, batch)
    if (report === 'unknown') return await noteLost(parts, batch)
    if (report.isOver) return await endBatch(parts, batch, upstream, report)
    await noteReport(parts, batch, report)
  } catch (error) {
    if (!isLate) throw error
  }
  if (isLate) await endWithout(parts, batch, new AppError('task.timed-out', { minutes: LIMIT_SECONDS / 60 }))
}

async function askAfter(upstream: Upstream, batch: BatchRow): Promise<BatchReport | 'unknown'> {
  try {
    const path = `/v1/batches/${encodeURIComponent(batch.upstream_id)}`
    const report = readBatch(upstream, await upstream.json({ path }), batch)
    if (!report) throw new UpstreamFailure({ without: 'empty' })
    return report
  } catch (error) {
    if (error instanceof UpstreamFailure && error.problem && saysUnknown(error.problem)) return 'unknown'
    throw error
  }
}

/** Its process died, or did not hear the answer: the upstream may have it nevertheless. */
async function findSubmitted(parts: RelayParts, batch: BatchRow, upstream: Upstream): Promise<void> {
  const found = await findByName(upstream, batch)
  const report = found && readBatch(upstream, found, batch)
  if (report) await acceptBatch(parts, batch.id, report, 0)
  else if (batch.submitted_at + NEVER_BEGUN_SECONDS <= parts.steadyNow())
    await endWithout(parts, batch, new AppError('task.interrupted'))
}

/**
 * Where the newest come first, up to those that were there before it; others of the account may have begun any number
 * since.
 */
async function findByName(upstream: Upstream, { id, submitted_at }: BatchRow): Promise<Json | undefined> {
  let after = ''
  for (let page = 0; page < MOST_PAGES; page++) {
    const from = after === '' ? '' : `&after=${encodeURIComponent(after)}`
    const list = asObject(await upstream.json({ path: `/v1/batches?limit=100${from}` }))
    const batches = asArray(list?.data)
    const found = batches.find(one => asObject(asObject(one)?.metadata)?.[OUR_NAME] === id)
    const last = asObject(batches.at(-1))
    const lastId = asText(last?.id)
    const [newest = submitted_at, oldest = submitted_at] = [asObject(batches[0]), last].map(timeOf)
    const isBefore = oldest <= newest && oldest < submitted_at - CLOCKS_SECONDS
    // One that does not know pages tells the same again.
    if (found || isBefore || list?.has_more !== true || !lastId || lastId === after) return found
    after = lastId
  }
  return undefined
}

function timeOf(batch: JsonObject | undefined): number | undefined {
  return asNumber(batch?.created_at)
}

/** The upstream has no such batch. Some take a while to know what they have begun. */
async function noteLost(parts: RelayParts, batch: BatchRow): Promise<void> {
  if (await isLostForGood(parts, batch))
    await endWithout(parts, batch, new AppError('task.forgotten', { minutes: Math.round(LOST_SECONDS / 60) }))
}
