import { AppError } from '../../../errors.ts'
import { readText } from '../../../outbound/read-body.ts'
import { findConversation } from '../../../relay/openai-kept/conversation-rows.ts'
import { unknownConversation } from '../../../relay/openai-kept/lead-to-kept.ts'
import { readJsonBody } from '../../../relay/request/read-body.ts'
import { type FoundPlace, findPlace } from '../../../relay/routing/place.ts'
import { type Asking, askForOwner } from '../../../relay/stored-answers/ask-keeper.ts'
import { guardStored } from '../../../relay/stored-answers/guard-stored.ts'
import { countCall } from '../../../store/counters/rate-classes.ts'
import type { OwnedCall } from '../../define.ts'
import { asJson, LARGEST_ANSWER } from '../keeping.ts'
import { deleteThere } from './delete-there.ts'

/** What a client may say of what it wants to see. */
const askable: ReadonlySet<string> = new Set(['include', 'include[]', 'after', 'limit', 'order'])

export function retrieveConversation(call: OwnedCall): Promise<Response> {
  return pass(call, 'GET', '')
}

/** Its `metadata`, which no model reads. */
export async function updateConversation(call: OwnedCall): Promise<Response> {
  const { text } = await readJsonBody(call.incoming)
  return pass(call, 'POST', '', text)
}

/** With what the rules for answers mask in it. */
export function listItems(call: OwnedCall): Promise<Response> {
  return pass(call, 'GET', '/items')
}

export function retrieveItem(call: OwnedCall): Promise<Response> {
  return pass(call, 'GET', `/items/${call.params.item}`)
}

export function deleteItem(call: OwnedCall): Promise<Response> {
  return pass(call, 'DELETE', `/items/${call.params.item}`)
}

/** At the vendor, where it may be gone already, then here. */
export async function deleteConversation(call: OwnedCall): Promise<Response> {
  const { parts, incoming, admitted, params } = call
  await countCall(parts.store, 'api', incoming.address)
  const { id = '' } = params
  const row = await findConversation(parts, admitted.caller, id)
  if (!row) throw unknownConversation(id)
  incoming.keepOpen()
  await deleteThere(parts, row, incoming.request)
  return Response.json({ id, object: 'conversation.deleted', deleted: true })
}

/** The caller's own, and where it is. */
export async function findOwn({ parts, admitted, params }: OwnedCall): Promise<{
  readonly id: string
  readonly place: FoundPlace
}> {
  const { id = '' } = params
  const row = await findConversation(parts, admitted.caller, id)
  if (!row) throw unknownConversation(id)
  const place = findPlace(parts, row)
  if (!place) throw new AppError('kept.gone')
  return { id, place }
}

export function queryOf({ incoming }: OwnedCall): NonNullable<Asking['query']> {
  return [...new URL(incoming.request.url).searchParams].filter(([name]) => askable.has(name))
}

async function pass(
  call: OwnedCall,
  method: Asking['method'],
  what: string,
  body?: string,
): Promise<Response> {
  const { parts, incoming, admitted } = call
  await countCall(parts.store, 'api', incoming.address)
  const { id, place } = await findOwn(call)
  const unknown = call.params.item === undefined ? unknownConversation(id) : unknownItem(call)
  incoming.keepOpen()
  const response = await askForOwner(
    parts,
    incoming.request,
    place,
    {
      method,
      beside: 'conversations',
      path: `/${id}${what}`,
      query: queryOf(call),
      ...(body !== undefined && { body: { bytes: body, type: 'application/json' } }),
    },
    unknown,
  )
  const text = await readText(response, LARGEST_ANSWER)
  return asJson(
    parts.guards.areIdle
      ? text
      : await guardStored({ parts, incoming, admitted }, place.channel, text, 'openai-responses'),
  )
}

function unknownItem({ params: { id = '', item = '' } }: OwnedCall): AppError {
  return new AppError('kept.no-item', { id, item })
}
