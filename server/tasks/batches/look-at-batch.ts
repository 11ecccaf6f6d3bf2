import { AppError } from '../../errors.ts'
import type { RelayParts } from '../../relay/parts.ts'
import type { Upstream } from '../ask-upstream.ts'
import { type BatchRow, batchStates } from './batch-rows.ts'
import { endBatch, endWithout } from './end-batch.ts'
import type { BatchHost } from './host.ts'
import { acceptBatch, isLostForGood, LOST_SECONDS, noteReport } from './note-batch.ts'

const DAY = 86_400
/** One that has not ended by then will not: vendors give themselves a day. */
const LIMIT_SECONDS = 14 * DAY
/** A submission that its upstream does not tell of after this long has never reached it. */
const NEVER_BEGUN_SECONDS = 300

/** Asks after one batch, and ends it if it is over. */
export async function lookAtBatch(host: BatchHost, parts: RelayParts, batch: BatchRow): Promise<void> {
  // Whoever gave it up has died over it.
  if (batch.state === batchStates.abandoned)
    return endWithout(host, parts, batch, new AppError('task.interrupted'))
  const upstream = host.placeOf(parts, batch)
  if (!upstream) {
    // Nobody was asked yet, or nobody can be any more.
    const why = batch.channel_id === 0 ? 'task.interrupted' : 'task.channel-gone'
    return endWithout(host, parts, batch, new AppError(why))
  }
  const isLate = batch.submitted_at + LIMIT_SECONDS <= parts.steadyNow()
  const look = batch.state === batchStates.submitting ? findSubmitted : askAfter
  try {
    if (await look(host, parts, batch, upstream)) return
  } catch (error) {
    if (!isLate) throw error
  }
  const why = new AppError('task.timed-out', { minutes: LIMIT_SECONDS / 60 })
  if (isLate) await endWithout(host, parts, batch, why)
}

/** Whether it is known what has become of it. */
async function askAfter(
  host: BatchHost,
  parts: RelayParts,
  batch: BatchRow,
  upstream: Upstream,
): Promise<boolean> {
  const report = await host.look(upstream, batch)
  if (report === 'unknown') await noteLost(host, parts, batch)
  else if (report.isOver) await endBatch(host, parts, batch, upstream, report)
  else {
    await noteReport(parts, batch, report)
    return false
  }
  return true
}

/** Its process died, or did not hear the answer: the upstream may have it nevertheless. */
async function findSubmitted(
  host: BatchHost,
  parts: RelayParts,
  batch: BatchRow,
  upstream: Upstream,
): Promise<boolean> {
  const found = await host.find(parts, upstream, batch)
  if (found === 'doubtful') return false
  if (found) await acceptBatch(parts, batch.id, found, 0)
  else if (batch.submitted_at + NEVER_BEGUN_SECONDS <= parts.steadyNow())
    await endWithout(host, parts, batch, new AppError('task.interrupted'))
  return true
}

/** The upstream has no such batch. Some take a while to know what they have begun. */
async function noteLost(host: BatchHost, parts: RelayParts, batch: BatchRow): Promise<void> {
  const why = new AppError('task.forgotten', { minutes: Math.round(LOST_SECONDS / 60) })
  if (await isLostForGood(parts, batch)) await endWithout(host, parts, batch, why)
}
