import { randomUUID } from 'node:crypto'
import type { ExpressionBuilder } from 'kysely'
import { AppError } from '../errors.ts'
import { log } from '../log.ts'
import { counter } from '../metrics.ts'
import type { RelayParts } from '../relay/parts.ts'
import type { Schema } from '../store/schema.ts'
import { accountOf, Upstream } from './ask-upstream.ts'
import type { TaskProvider, TaskReports } from './define.ts'
import { takeReport, timedOut } from './end-run.ts'
import { failedReport } from './failed-report.ts'
import { endForgotten, recall } from './forgotten.ts'
import { runStates, type TaskRun } from './runs.ts'
import { keyOf } from './submit.ts'

export const POLL_SECONDS = 15
/** A client that asks gets news that are at most this old. */
const FRESH_SECONDS = 2
/** ... and waits for them no longer than this. */
const PATIENCE_MS = 3000
const BATCH = 200
const UPSTREAMS_AT_ONCE = 8

export const looks = counter('tollgate_tasks_looks_total', 'Times that upstreams were asked after long jobs.')
const unfinished = [runStates.submitting, runStates.running]

/** Asks after everything that is due. Any number of nodes may do so: a task is asked after by one of them. */
export async function pollTasks(parts: RelayParts, providers: readonly TaskProvider[]): Promise<number> {
  let polled = 0
  for (;;) {
    const runs = await claimDue(parts)
    await lookAfter(parts, providers, runs)
    polled += runs.length
    if (runs.length < BATCH) return polled
  }
}

/** One task, now, unless somebody has just looked. A failure is no news. */
export async function pollNow(parts: RelayParts, provider: TaskProvider, run: TaskRun): Promise<void> {
  if (run.state !== runStates.running) return
  const [claimed] = await claim(parts, [run.id], parts.now() + POLL_SECONDS - FRESH_SECONDS)
  if (!claimed) return
  const looking = lookAfter(parts, [provider], [claimed]).catch(error =>
    log.warn('a task could not be asked after', { task: run.id, error }),
  )
  await Promise.race([looking, Bun.sleep(PATIENCE_MS)])
}

async function claimDue(parts: RelayParts): Promise<readonly TaskRun[]> {
  const now = parts.now()
  const due = await parts.store.db
    .selectFrom('task_runs')
    .select('id')
    .where('state', 'in', unfinished)
    .where(isDue(now, now))
    .orderBy('next_poll_at')
    .limit(BATCH)
    .execute()
  const ids = due.map(({ id }) => id)
  return claim(parts, ids, now)
}

/** Nothing is put off for so long: what is was put off before a clock was set back. */
const FAR_SECONDS = 60

function isDue(due: number, now: number) {
  return (run: ExpressionBuilder<Schema, 'task_runs'>) =>
    run.or([run('next_poll_at', '<=', due), run('next_poll_at', '>', now + FAR_SECONDS)])
}

/** Of several that want the same task, the one whose update finds it due gets it. */
async function claim(parts: RelayParts, ids: readonly string[], due: number): Promise<readonly TaskRun[]> {
  if (ids.length === 0) return []
  const { db } = parts.store
  const turn = randomUUID()
  const { numUpdatedRows } = await db
    .updateTable('task_runs')
    .set({ claim: turn, next_poll_at: parts.now() + POLL_SECONDS })
    .where('id', 'in', ids)
    .where('state', 'in', unfinished)
    .where(isDue(due, parts.now()))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return []
  return db.selectFrom('task_runs').selectAll().where('claim', '=', turn).execute()
}

async function lookAfter(
  parts: RelayParts,
  providers: readonly TaskProvider[],
  runs: readonly TaskRun[],
): Promise<void> {
  for (const provider of providers) {
    const own = runs.filter(run => run.platform === provider.platform)
    const interrupted = own.filter(run => run.state === runStates.submitting)
    await oneByOne(interrupted, run => endInterrupted(parts, provider, run))
    const running = own.filter(run => run.state === runStates.running)
    const groups = Object.values(Object.groupBy(running, run => `${run.channel_id} ${run.key_hash}`))
    for (let at = 0; at < groups.length; at += UPSTREAMS_AT_ONCE)
      await Promise.all(
        groups.slice(at, at + UPSTREAMS_AT_ONCE).map(group => lookAtGroup(parts, provider, group ?? [])),
      )
  }
}

/** What cannot be done for one of them is done later, and keeps none of the others waiting. */
async function oneByOne(runs: readonly TaskRun[], work: (run: TaskRun) => Promise<void>): Promise<void> {
  for (const run of runs)
    await work(run).catch(error =>
      log.warn('a task could not be brought up to date; it is tried again', { task: run.id, error }),
    )
}

/** Its process died, or could not write. While its hold is open that is not certain, and nothing happens. */
async function endInterrupted(parts: RelayParts, provider: TaskProvider, run: TaskRun): Promise<void> {
  await takeReport(parts, provider, run, failedReport(new AppError('task.interrupted')))
}

/** Tasks of one account at one upstream. */
async function lookAtGroup(
  parts: RelayParts,
  provider: TaskProvider,
  runs: readonly TaskRun[],
): Promise<void> {
  const [first] = runs
  if (!first) return
  const channel = parts.channels.byId(first.channel_id)
  if (!channel) {
    const gone = failedReport(new AppError('task.channel-gone'))
    return oneByOne(runs, async run => void (await takeReport(parts, provider, run, gone)))
  }
  const key = keyOf(parts, channel, first.key_hash) ?? ''
  // A channel that has become one of another kind tells nothing.
  const account = accountOf(provider, channel)
  if (!account) return takeReports(parts, provider, runs, undefined)
  const upstream = new Upstream(parts, account, { channel, key })
  let isThere = true
  for (let at = 0; at < runs.length; at += provider.lookAtOnce) {
    const some = runs.slice(at, at + provider.lookAtOnce)
    const reports: TaskReports | undefined = isThere ? await look(provider, upstream, some) : undefined
    isThere = reports !== undefined
    await takeReports(parts, provider, some, reports)
  }
}

/** Undefined when it does not tell: then it is not asked again in this turn. */
async function look(
  provider: TaskProvider,
  upstream: Upstream,
  runs: readonly TaskRun[],
): Promise<TaskReports | undefined> {
  looks.increment({ platform: provider.platform })
  const ids = [...new Set(runs.map(run => run.upstream_id))]
  try {
    return await provider.look(upstream, ids)
  } catch (error) {
    log.debug('an upstream does not tell of its tasks', { channel: upstream.channel.id, error })
    return undefined
  }
}

async function takeReports(
  parts: RelayParts,
  provider: TaskProvider,
  runs: readonly TaskRun[],
  reports: TaskReports | undefined,
): Promise<void> {
  await oneByOne(runs, async run => {
    const report = reports?.get(run.upstream_id)
    if (report === 'unknown') return endForgotten(parts, provider, run)
    if (report) await recall(parts, provider, run)
    const isLate = run.submitted_at + provider.limitSeconds <= parts.steadyNow()
    if (report && (report.outcome !== 'running' || !isLate)) await takeReport(parts, provider, run, report)
    else if (isLate) await takeReport(parts, provider, run, timedOut(provider))
  })
}
