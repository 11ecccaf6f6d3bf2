import type { ExpressionBuilder } from 'kysely'
import { type JsonObject, parseObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import { readText } from '../../outbound/read-body.ts'
import type { Schema } from '../../store/schema.ts'
import type { Keeper } from '../chat/conversation.ts'
import type { RelayParts } from '../parts.ts'
import { askKeeper, nobody } from '../stored-answers/ask-keeper.ts'
import { saysUnknown } from '../upstream/says-unknown.ts'
import { UpstreamFailure } from '../upstream/upstream-failure.ts'
import { endJob, endWithout } from './end-job.ts'
import { formOfJob, type Job, jobStates, makerOf } from './job-rows.ts'

const AT_ONCE = 8
const AT_A_TURN = 200
/** Whoever looks has it for so long; it is another's when that is over. */
const LEASE_SECONDS = 120
/** Nothing is put off for so long: what is was put off before a clock was set back. */
const FAR_SECONDS = 1200
/** What its upstream has not known for so long will not come back. */
const LOST_SECONDS = 1800
/** One that has not ended by then is cancelled. */
const LIMIT_SECONDS = 86_400
/** ... and given up, where nobody can be asked about it for this much longer. */
const PATIENCE_SECONDS = 86_400
const LARGEST_ANSWER = 64 * 1024 * 1024

/** The longer it takes, the less often. Some vendors keep what is done for ten minutes only. */
function pauseAfter(ageSeconds: number): number {
  if (ageSeconds < 600) return 15
  return ageSeconds < 7200 ? 60 : 240
}

/** Asks after what is due, and answers how many. Any number of nodes may do so: a response is asked after by one of them. */
export async function pollJobs(parts: RelayParts): Promise<number> {
  const now = parts.now()
  const due = await parts.store.db
    .selectFrom('background_responses')
    .selectAll()
    .where('state', '=', jobStates.running)
    .where(isDue(now))
    .orderBy('next_poll_at')
    .limit(AT_A_TURN)
    .execute()
  const silent: SilentAccounts = new Set()
  let asked = 0
  for (let at = 0; at < due.length; at += AT_ONCE) {
    const ours = await Promise.all(due.slice(at, at + AT_ONCE).map(job => look(parts, job, silent)))
    asked += ours.filter(Boolean).length
  }
  return asked
}

/** Those that do not answer at all: in this turn they are not asked any more, so that others do not wait for them. */
type SilentAccounts = Set<string>

function accountOf({ channel_id, key_hash }: Job): string {
  return `${channel_id} ${key_hash}`
}

function isDue(now: number) {
  return (row: ExpressionBuilder<Schema, 'background_responses'>) =>
    row.or([row('next_poll_at', '<=', now), row('next_poll_at', '>', now + FAR_SECONDS)])
}

/** Of several that saw the same job due, the one whose update finds it as it was gets it. */
async function look(parts: RelayParts, job: Job, silent: SilentAccounts): Promise<boolean> {
  const until = parts.now() + LEASE_SECONDS
  if (!(await putOff(parts, job, job.next_poll_at, until))) return false
  const isAsked = !silent.has(accountOf(job))
  try {
    if (isAsked) await lookAtJob(parts, job)
  } catch (error) {
    if (isSilence(error)) silent.add(accountOf(job))
    log.warn('a background response could not be asked after; it is again', {
      request: job.request_id,
      error,
    })
  } finally {
    const now = parts.now()
    await putOff(parts, job, until, now + pauseAfter(now - job.submitted_at))
  }
  return isAsked
}

function isSilence(error: unknown): boolean {
  return error instanceof UpstreamFailure && (error.without === 'timeout' || error.without === 'connect')
}

async function putOff({ store }: RelayParts, job: Job, from: number, to: number): Promise<boolean> {
  const { numUpdatedRows } = await store.db
    .updateTable('background_responses')
    .set({ next_poll_at: to })
    .where('request_id', '=', job.request_id)
    .where('state', '=', jobStates.running)
    .where('next_poll_at', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Asks after one response, and ends it if it is over. */
async function lookAtJob(parts: RelayParts, job: Job): Promise<void> {
  const maker = makerOf(parts, job)
  if (!maker) return endWithout(parts, job, new AppError('task.channel-gone'))
  const age = parts.steadyNow() - job.submitted_at
  const isGivenUp = age >= LIMIT_SECONDS + PATIENCE_SECONDS
  const { isOver } = formOfJob(job)
  let told: JsonObject | undefined
  // Only what cannot be asked is given up: what has ended and cannot be written down now is paid another time.
  try {
    told = await ask(parts, job, maker, 'GET')
    if (!isOver(told) && age >= LIMIT_SECONDS) told = await ask(parts, job, maker, 'POST', '/cancel')
  } catch (error) {
    if (isUnknown(error)) return await endLost(parts, job)
    if (!isGivenUp) throw error
  }
  if (told && isOver(told)) return endJob(parts, job, told)
  if (isGivenUp)
    return endWithout(parts, job, new AppError('task.timed-out', { minutes: LIMIT_SECONDS / 60 }))
  if (job.lost_at !== 0) await noteLost(parts, job, 0)
}

async function ask(
  parts: RelayParts,
  job: Job,
  maker: Keeper,
  method: 'GET' | 'POST',
  what = '',
): Promise<JsonObject> {
  const { response_id } = job
  const { dialect } = formOfJob(job)
  const asking = { dialect, method, path: `/${response_id}${what}` }
  const response = await askKeeper(parts, nobody, maker, asking)
  const told = parseObject(await readText(response, LARGEST_ANSWER))
  if (told?.id !== response_id) throw new UpstreamFailure({ without: 'empty' })
  return told
}

function isUnknown(error: unknown): boolean {
  return error instanceof UpstreamFailure && error.problem !== undefined && saysUnknown(error.problem)
}

/** The upstream has no such response. It may be slow to know what it has begun, so it is asked for a while. */
async function endLost(parts: RelayParts, job: Job): Promise<void> {
  const now = parts.steadyNow()
  if (job.lost_at === 0) return noteLost(parts, job, now)
  if (job.lost_at + LOST_SECONDS > now) return
  await endWithout(parts, job, new AppError('task.forgotten', { minutes: LOST_SECONDS / 60 }))
}

async function noteLost({ store }: RelayParts, { request_id }: Job, at: number): Promise<void> {
  await store.db
    .updateTable('background_responses')
    .set({ lost_at: at })
    .where('request_id', '=', request_id)
    .execute()
}
