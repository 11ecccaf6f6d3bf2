import { randomUUID } from 'node:crypto'
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import { log } from '../../log.ts'
import type { RelayParts } from '../../relay/parts.ts'
import type { Schema } from '../../store/schema.ts'
import { looks } from '../poll.ts'
import { type BatchRow, batchStates, unfinished } from './batch-rows.ts'
import type { BatchHost } from './host.ts'
import { lookAtBatch } from './look-at-batch.ts'

/** Few at a time: nobody waits for a batch as for a call. */
const AT_ONCE = 4
const AT_A_TURN = 40
/** Whoever looks has it for so long; it is another's when that is over. */
const LEASE_SECONDS = 180
/** Nothing is put off for so long: what is was put off before a clock was set back. */
const FAR_SECONDS = 1200
/** A client that asks gets news that are at most this old, and waits for them no longer than this. */
const FRESH_SECONDS = 2
const PATIENCE_MS = 3000

let underWay = 0

/** The longer it takes, the less often. */
function pauseAfter(ageSeconds: number): number {
  if (ageSeconds < 600) return 15
  return ageSeconds < 7200 ? 60 : 300
}

/** Asks after what is due, and answers how many. Any number of nodes may do so: a batch is asked after by one of them. */
export async function pollBatches(parts: RelayParts, hosts: readonly BatchHost[]): Promise<number> {
  const now = parts.now()
  const due = await parts.store.db
    .selectFrom('batches')
    .select('id')
    .where('state', 'in', unfinished)
    .where(isDue(now))
    .orderBy('next_poll_at')
    .limit(AT_A_TURN)
    .execute()
  let asked = 0
  for (let at = 0; at < due.length; at += AT_ONCE) {
    const turn = due.slice(at, at + AT_ONCE)
    const ours = await Promise.all(turn.map(({ id }) => look(hosts, parts, id, isDue(parts.now()))))
    asked += ours.filter(Boolean).length
  }
  return asked
}

/** One batch, now, unless somebody has just looked, or does. A failure is no news. */
export async function pollBatchNow(host: BatchHost, parts: RelayParts, batch: BatchRow): Promise<void> {
  if (batch.state !== batchStates.running || underWay >= AT_ONCE) return
  const now = parts.now()
  const looking = look([host], parts, batch.id, row =>
    row.and([
      row('claim', '=', ''),
      row.or([row('checked_at', '<=', now - FRESH_SECONDS), row('checked_at', '>', now)]),
    ]),
  ).catch(error => log.warn('a batch could not be asked after', { batch: batch.id, error }))
  await Promise.race([looking, Bun.sleep(PATIENCE_MS)])
}

type Condition = (row: ExpressionBuilder<Schema, 'batches'>) => ExpressionWrapper<Schema, 'batches', SqlBool>

function isDue(now: number): Condition {
  return row => row.or([row('next_poll_at', '<=', now), row('next_poll_at', '>', now + FAR_SECONDS)])
}

/** Of several that want the same batch, the one whose update finds it free gets it. */
async function look(
  hosts: readonly BatchHost[],
  parts: RelayParts,
  id: string,
  isFree: Condition,
): Promise<boolean> {
  const { db } = parts.store
  const turn = randomUUID()
  const { numUpdatedRows } = await db
    .updateTable('batches')
    .set({ claim: turn, next_poll_at: parts.now() + LEASE_SECONDS })
    .where('id', '=', id)
    .where('state', 'in', unfinished)
    .where(isFree)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  const batch = await db.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const host = hosts.find(({ runs }) => runs(batch.endpoint))
  underWay++
  try {
    if (host) {
      looks.increment({ platform: host.platform })
      await lookAtBatch(host, parts, batch)
    }
  } catch (error) {
    log.warn('a batch could not be ended; it is tried again', { batch: id, error })
  } finally {
    underWay--
    const now = parts.now()
    await db
      .updateTable('batches')
      .set({ claim: '', checked_at: now, next_poll_at: now + pauseAfter(now - batch.submitted_at) })
      .where('id', '=', id)
      .where('claim', '=', turn)
      .execute()
  }
  return true
}
