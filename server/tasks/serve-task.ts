import { log } from '../log.ts'
import { counter } from '../metrics.ts'
import { admit, admitToLook } from '../relay/callers/authorise.ts'
import type { RelayParts } from '../relay/parts.ts'
import { allowAnyPage } from '../relay/request/cors.ts'
import type { Incoming } from '../relay/request/incoming.ts'
import { ClientGone } from '../relay/stream/client-gone.ts'
import { countCall } from '../store/counters/rate-classes.ts'
import { OWN_PATH } from './anthropic-files/vendor.ts'
import type { TaskRoute, TaskVendor } from './define.ts'
import { taskVendors } from './index.ts'

const answers = counter(
  'tollgate_task_answers_total',
  'Calls about long jobs answered, by platform and status.',
)

/** One look at the path of every model call, before any closer one. */
const taskPaths =
  /^\/(?:upload\/|download\/)?v1(?:beta)?\/(?:videos?|files|batches|messages\/batches|cachedContents|conversations|containers)(?:\/|$)|(?::|%3[Aa])batchGenerateContent$|^(?:\/(?!pass\/)[^/]+)?\/mj\/|^\/(?:suno|kling)\/|^\/jimeng\/?$/
/** Where clients of several vendors mean what is their own: each brings its own kind of header. */
const sharedPaths = /^\/v1(?=\/(?:files|batches)(?:\/|$))/
const filePaths = /^\/v1\/files(?:\/|$)/

export interface FoundTask {
  readonly provider: TaskVendor
  readonly route: TaskRoute
  readonly params: Readonly<Record<string, string | undefined>>
}

/** Whose call it is; undefined when it is none about long jobs. */
export function findTask(method: string, sent: string, headers?: Headers): FoundTask | undefined {
  if (!taskPaths.test(sent)) return undefined
  const path = headers ? meantBy(headers, sent) : sent
  for (const provider of taskVendors)
    for (const route of provider.routes) {
      const found = route.method === method ? route.path.exec(path) : null
      if (found) return { provider, route, params: { ...found.groups } }
    }
  return undefined
}

function meantBy(headers: Headers, sent: string): string {
  if (headers.has('x-goog-api-key')) return sent.replace(sharedPaths, '/v1beta')
  const isAnthropic = headers.has('anthropic-version') || headers.has('x-api-key')
  return isAnthropic && filePaths.test(sent) ? OWN_PATH + sent : sent
}

/** A call about a long job: submitting one, asking after it, fetching what it made. */
export async function serveTask(parts: RelayParts, found: FoundTask, incoming: Incoming): Promise<Response> {
  const { provider } = found
  const trace = parts.tracer?.beginTask(incoming, templateOf(incoming.path, found))
  let response: Response
  let failure: unknown
  try {
    response = await serve(parts, found, incoming)
  } catch (error) {
    failure = error
    // Nobody reads it; the status is for our own count.
    response =
      error instanceof ClientGone ? new Response(null, { status: 499 }) : provider.refuse(error, incoming)
    const { requestId, path } = incoming
    if (response.status >= 500)
      log.warn('a call about a task failed', { requestId, path, status: response.status, error })
  }
  allowAnyPage(response.headers)
  answers.increment({ platform: provider.platform, status: response.status })
  trace?.noteHead(response.status, failure)
  return response
}

/** The address with names for what varies. */
function templateOf(path: string, { params }: FoundTask): string {
  const names = new Map(Object.entries(params).map(([name, value]) => [value, `{${name}}`]))
  return path
    .split('/')
    .map(part => names.get(part) ?? part)
    .join('/')
}

async function serve(parts: RelayParts, { route, params }: FoundTask, incoming: Incoming): Promise<Response> {
  if ('serveAnyone' in route) return route.serveAnyone({ parts, incoming, params })
  const looks = typeof route.looks === 'function' ? route.looks(incoming.request) : route.looks
  const enter = looks ? admitToLook : admit
  const admitted = await enter(parts, incoming.request, () => incoming.address)
  incoming.payer = admitted.caller.userId
  if (incoming.trace) incoming.trace.admitted = admitted
  if (route.isCounted) await countCall(parts.store, 'api', incoming.address)
  return route.serve({ parts, incoming, params, admitted })
}
