import type { AppError } from '../../errors.ts'
import { asOutboundError } from '../../outbound/describe-failure.ts'
import type { Admitted } from '../callers/authorise.ts'
import type { Keeper } from '../chat/conversation.ts'
import { CallGuard } from '../guards/call-guard.ts'
import type { RelayParts } from '../parts.ts'
import type { Incoming } from '../request/incoming.ts'
import { askForOwner } from '../stored-answers/ask-keeper.ts'
import { UpstreamFailure } from '../upstream/upstream-failure.ts'
import { CarriedEvents } from './carry-events.ts'
import type { JobForm, LastEvent } from './job-form.ts'
import type { Job } from './job-rows.ts'
import { WholeFrames } from './whole-frames.ts'

interface Resumed {
  readonly parts: RelayParts
  readonly incoming: Incoming
  readonly admitted: Admitted
  readonly job: Job
  readonly keeper: Keeper
  readonly unknown: AppError
  /** What the client says of what it wants to see. */
  readonly query: readonly (readonly [name: string, value: string])[]
}

/** The events of what is made in the background, from the first on or from where a client was cut off. */
export async function resumeEvents(
  { parts, incoming, admitted, job, keeper, unknown, query }: Resumed,
  form: JobForm,
  last: LastEvent | undefined,
): Promise<Response> {
  const guard = parts.guards.areIdle ? undefined : guardOf(parts, incoming, admitted, job)
  guard?.refuseStreams()
  // What is said is only known from its beginning: where rules read it, all of it comes, and the client gets the rest.
  const isRead = guard?.streamRules !== undefined
  const from = last === undefined || isRead ? [] : form.askAfter(last)
  const asking = {
    dialect: form.dialect,
    method: 'GET',
    path: `/${job.response_id}`,
    query: [...query, ['stream', 'true'], ...from],
  } as const
  const stop = new AbortController()
  const request = new Request(incoming.request, { signal: stop.signal })
  const response = await askForOwner(parts, request, keeper, asking, unknown)
  const type = response.headers.get('content-type') ?? ''
  if (!response.body || !type.toLowerCase().startsWith('text/event-stream'))
    throw new UpstreamFailure({ without: 'empty' })
  const reader = response.body.getReader()
  const events = {
    reader: { read: () => reader.read().catch(rethrow) },
    frames: new WholeFrames(),
    first: '',
    stop: (reason: unknown) => stop.abort(reason),
  }
  return new CarriedEvents({ parts, incoming, job, form, guard, events, after: last }).response()
}

function rethrow(error: unknown): never {
  throw asOutboundError(error)
}

/** Whoever asks may be in another group than whoever ordered it: the rules of both are obeyed. */
function guardOf(
  parts: RelayParts,
  incoming: Incoming,
  admitted: Admitted,
  { model, group }: Job,
): CallGuard | undefined {
  const groups = [...(admitted.groups ?? [admitted.group]), group]
  return CallGuard.for({ parts, incoming, admitted: { ...admitted, groups }, model })
}
