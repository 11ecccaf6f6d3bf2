import { asArray, asObject } from '../../dialects/json.ts'
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
  const list = asObject(await upstream.json({ path: '/v1/batches?limit=100' }))
  const found = asArray(list?.data).find(one => asObject(asObject(one)?.metadata)?.[OUR_NAME] === batch.id)
  const report = found && readBatch(upstream, found, batch)
  if (report) await acceptBatch(parts, batch.id, report, 0)
  else if (batch.submitted_at + NEVER_BEGUN_SECONDS <= parts.steadyNow())
    await endWithout(parts, batch, new AppError('task.interrupted'))
}

/** The upstream has no such batch. Some take a while to know what they have begun. */
async function noteLost(parts: RelayParts, batch: BatchRow): Promise<void> {
  if (await isLostForGood(parts, batch))
    await endWithout(parts, batch, new AppError('task.forgotten', { minutes: Math.round(LOST_SECONDS / 60) }))
}
