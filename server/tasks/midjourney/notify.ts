import { parseObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import type { RelayParts } from '../../relay/parts.ts'
import type { Sent } from '../../relay/request/incoming.ts'
import { readLimited } from '../../relay/request/read-body.ts'
import { countCall } from '../../store/counters/rate-classes.ts'
import { isSameSecret } from '../../store/same-secret.ts'
import type { TaskCall, TaskProvider } from '../define.ts'
import { takeReport } from '../end-run.ts'
import { pollNow } from '../poll.ts'
import { upstreamOf } from '../run-upstream.ts'
import { findRun, runStates } from '../runs.ts'
import { readId, readTask } from './read-task.ts'

const LARGEST = 256 * 1024
const NOT_AT_ALL = /^https?:\/\/(localhost|127\.|\[::1\])/

/** Where an upstream may tell of one task: nobody else can make this address. */
export function notifyAddress(parts: RelayParts, id: string): string | undefined {
  const address = parts.settings.get('ServerAddress').replace(/\/+$/, '')
  if (!parts.settings.get('MjNotifyEnabled') || address === '' || NOT_AT_ALL.test(address)) return undefined
  return `${address}/mj/notify/${id}/${proof(parts, id)}`
}

function proof({ store }: RelayParts, id: string): string {
  return store.cipher.hash('task-notify', id)
}

/** An upstream tells of a task, at the address that was made for it. */
export async function takeNotice(
  { parts, incoming, params }: TaskCall,
  provider: TaskProvider,
): Promise<Response> {
  const { id = '', proof: given = '' } = params
  if (!isSameSecret(proof(parts, id), given)) throw new AppError('task.notify-denied')
  const run = await findRun(parts.store, id)
  const upstream = run && upstreamOf(parts, provider, run)
  if (!run || !upstream || run.state !== runStates.running) return done()
  const body = await readBody(incoming)
  const report = readId(body?.id) === run.upstream_id ? readTask(upstream, body) : undefined
  if (report) await takeReport(parts, provider, run, report)
  return done()
}

/**
 * The address that everybody knows. What is said there is not believed; it is only a reason to ask the
 * upstream itself a little earlier.
 */
export async function takeHint({ parts, incoming }: TaskCall, provider: TaskProvider): Promise<Response> {
  await countCall(parts.store, 'api', incoming.address)
  const upstreamId = readId((await readBody(incoming))?.id) ?? ''
  // No proxy names one so, and not every database takes it.
  if (upstreamId === '' || upstreamId.includes('\0'))
    throw new AppError('task.field', { detail: 'task_id_is_required' })
  const runs = await parts.store.db
    .selectFrom('task_runs')
    .selectAll()
    .where('upstream_id', '=', upstreamId.slice(0, 191))
    .where('platform', '=', provider.platform)
    .where('state', '=', runStates.running)
    .limit(2)
    .execute()
  for (const run of runs) await pollNow(parts, provider, run)
  return done()
}

async function readBody(sent: Sent) {
  return parseObject(new TextDecoder().decode(await readLimited(sent, LARGEST)))
}

function done(): Response {
  return Response.json({ code: 1, description: 'success' })
}
