import { parseObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import { readText } from '../../outbound/read-body.ts'
import { countCall } from '../../store/counters/rate-classes.ts'
import { cleanError } from '../background/clean-error.ts'
import { endJob } from '../background/end-job.ts'
import { formOf, type JobForm, type LastEvent } from '../background/job-form.ts'
import { findJob, type Job, jobStates, makerOf } from '../background/job-rows.ts'
import { resumeEvents } from '../background/resume-events.ts'
import type { Admitted } from '../callers/authorise.ts'
import { findStoredResponse, type Keeper } from '../chat/conversation.ts'
import type { RelayParts } from '../parts.ts'
import type { Incoming } from '../request/incoming.ts'
import type { StoredRoute } from '../request/match-route.ts'
import { askForOwner } from './ask-keeper.ts'
import { guardStored } from './guard-stored.ts'

/** The largest response that is handed on; as large as one that is made. */
const LARGEST_ANSWER = 64 * 1024 * 1024

/** One request after one response. */
interface Asked {
  readonly parts: RelayParts
  readonly incoming: Incoming
  readonly admitted: Admitted
  readonly route: StoredRoute
  readonly form: JobForm
  /** As long as it is made in the background, and afterwards. */
  readonly job: Job | undefined
  readonly keeper: Keeper
  readonly unknown: AppError
  /** What it says of what it wants to see. */
  readonly query: readonly (readonly [name: string, value: string])[]
}

/**
 * A response, or an interaction, that its vendor stores or makes in the background: looked at, cancelled or deleted by
 * whom it was made for. It is there where it was made, and looking costs nothing.
 */
export async function serveStored(
  parts: RelayParts,
  incoming: Incoming,
  route: StoredRoute,
  admitted: Admitted,
): Promise<Response> {
  await countCall(parts.store, 'api', incoming.address)
  const { id, what, method, dialect } = route
  const form = formOf(dialect)
  const searched = new URL(incoming.request.url).searchParams
  const after = what === '' && method === 'GET' ? readResumption(form, searched) : undefined
  const unknown = new AppError('relay.unknown-response', { id })
  const job = await findJob(parts, admitted.caller, id, dialect)
  const keeper = (job && makerOf(parts, job)) ?? (await findStoredResponse(parts, admitted.caller, id))
  if (!keeper) throw unknown
  const query = [...searched].filter(([name]) => form.askable.has(name))
  const asked: Asked = { parts, incoming, admitted, route, form, job, keeper, unknown, query }
  incoming.keepOpen()
  if (after) {
    // Only what is made in the background can be had so.
    if (!job) refuseNamed('stream')
    return resumeEvents({ ...asked, job }, form, after.last)
  }
  if (method === 'DELETE') await settleFirst(asked)
  const text = await readSettled(asked)
  const shown = parts.guards.areIdle
    ? text
    : await guardStored({ parts, incoming, admitted }, keeper.channel, text, dialect)
  return new Response(shown, { headers: { 'content-type': 'application/json' } })
}

/** From where on events are wanted; undefined when the response itself is. */
function readResumption(
  form: JobForm,
  query: URLSearchParams,
): { readonly last: LastEvent | undefined } | undefined {
  const last = form.readLast(query)
  return query.get('stream') === 'true' ? { last } : undefined
}

/** What its vendor says, cleaned of what only the operator may know. One that has come to its end is paid before it is seen. */
async function readSettled(asked: Asked): Promise<string> {
  const { parts, incoming, route, form, job, keeper, unknown, query } = asked
  const { id, what, method, dialect } = route
  const asking = { dialect, method, path: `/${id}${what}`, query }
  const response = await askForOwner(parts, incoming.request, keeper, asking, unknown)
  const text = await readText(response, LARGEST_ANSWER)
  if (!job || what === '/input_items' || method === 'DELETE') return text
  const told = parseObject(text)
  if (!told) return text
  if (form.isOver(told)) await endJob(parts, job, told)
  return cleanError(told, keeper.channel) ? JSON.stringify(told) : text
}

/** What is deleted can never be paid: nothing is before it has been. */
async function settleFirst({ parts, incoming, route, form, job, keeper, unknown }: Asked): Promise<void> {
  const { id, dialect } = route
  if (job?.state !== jobStates.running) return
  const asking = { dialect, method: 'GET', path: `/${id}` } as const
  const response = await askForOwner(parts, incoming.request, keeper, asking, unknown)
  const told = parseObject(await readText(response, LARGEST_ANSWER))
  if (!told || !form.isOver(told)) throw new AppError('background.running', { id })
  await endJob(parts, job, told)
}
