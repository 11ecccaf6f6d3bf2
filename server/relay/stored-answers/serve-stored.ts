import { refuseNamed } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import { readText } from '../../outbound/read-body.ts'
import { countCall } from '../../store/counters/rate-classes.ts'
import type { Admitted } from '../callers/authorise.ts'
import { findStoredResponse } from '../chat/conversation.ts'
import type { RelayParts } from '../parts.ts'
import type { Incoming } from '../request/incoming.ts'
import type { Route } from '../request/match-route.ts'
import { askKeeper } from './ask-keeper.ts'
import { guardStored } from './guard-stored.ts'

/** The largest response that is handed on; as large as one that is made. */
const LARGEST_ANSWER = 64 * 1024 * 1024
/** What a client may say of what it wants to see. */
const askable: ReadonlySet<string> = new Set(['include', 'include[]', 'after', 'limit', 'order'])

type StoredRoute = Extract<Route, { kind: 'stored' }>

/**
 * A response that its vendor stores, looked at or deleted by whom it was made for. It is there where it was made, and
 * costs nothing.
 */
export async function serveStored(
  parts: RelayParts,
  incoming: Incoming,
  route: StoredRoute,
  admitted: Admitted,
): Promise<Response> {
  await countCall(parts.store, 'api', incoming.address)
  const { id, what, method } = route
  const asked = new URL(incoming.request.url).searchParams
  // Only what is made in the background can be had so, and nothing is.
  if (asked.get('stream') === 'true') refuseNamed('stream')
  const unknown = new AppError('relay.unknown-response', { id })
  const place = await findStoredResponse(parts, admitted.caller, id)
  if (!place) throw unknown
  const query = [...asked].filter(([name]) => askable.has(name))
  incoming.keepOpen()
  const response = await askKeeper(parts, incoming, place, { method, path: `/${id}${what}`, query, unknown })
  const text = await readText(response, LARGEST_ANSWER)
  const shown = parts.guards.areIdle
    ? text
    : await guardStored({ parts, incoming, admitted }, place.channel, text)
  return new Response(shown, { headers: { 'content-type': 'application/json' } })
}
