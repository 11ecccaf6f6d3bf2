import { parseObject } from '../../../dialects/json.ts'
import { AppError } from '../../../errors.ts'
import { readText } from '../../../outbound/read-body.ts'
import { sharedTokens } from '../../../relay/chat/shares-answers.ts'
import {
  type ContainerRow,
  containerStates,
  knownContainer,
  unknownContainer,
} from '../../../relay/openai-kept/container-rows.ts'
import { type FoundPlace, findPlace } from '../../../relay/routing/place.ts'
import { type Asking, askForOwner } from '../../../relay/stored-answers/ask-keeper.ts'
import { countCall } from '../../../store/counters/rate-classes.ts'
import type { OwnedCall } from '../../define.ts'
import { readPage, readSought, showPage } from '../../page.ts'
import { asJson, LARGEST_ANSWER } from '../keeping.ts'

const USUAL = 20
const MOST = 100

/** The caller's own, of the last day, the newest first unless asked otherwise. */
export async function listContainers({ parts, incoming, admitted }: OwnedCall): Promise<Response> {
  await countCall(parts.store, 'api', incoming.address)
  const query = new URL(incoming.request.url).searchParams
  const page = readPage(query, USUAL, MOST)
  const name = readSought(query, 'name')
  const { caller } = admitted
  const shared = await sharedTokens(parts, caller)
  let rows = parts.store.db
    .selectFrom('openai_containers')
    .selectAll()
    .where('user_id', '=', caller.userId)
    .where('state', '=', containerStates.kept)
  if (shared) rows = rows.where('token_id', 'in', shared)
  if (name !== null) rows = rows.where('title', '=', name)
  const last = page.after === null ? undefined : await knownContainer(parts, caller, page.after)
  if (page.after !== null) {
    if (!last) throw unknownContainer(page.after)
    rows = rows.where('mark', page.isRising ? '>' : '<', last.mark)
  }
  const found = await rows
    .orderBy('mark', page.isRising ? 'asc' : 'desc')
    .limit(page.limit + 1)
    .execute()
  return showPage(found, page, row => showContainer(row, parts.now()))
}

/** What is known of it here. */
function showContainer({ id, title, gigabytes, created_at, paid_until }: ContainerRow, now: number) {
  return {
    id,
    object: 'container',
    created_at,
    name: title,
    status: now < paid_until ? 'running' : 'expired',
    memory_limit: `${gigabytes}g`,
    expires_after: { anchor: 'last_active_at', minutes: 20 },
  }
}

/** As the vendor tells it, by the name that its owner gave it. */
export async function retrieveContainer(call: OwnedCall): Promise<Response> {
  const own = await openOwn(call)
  const response = await askIn(call, own, { method: 'GET' })
  const text = await readText(response, LARGEST_ANSWER)
  const told = own.row.title === '' ? undefined : parseObject(text)
  return told ? Response.json({ ...told, name: own.row.title }) : asJson(text)
}

/** At the vendor, where it may be gone already, then here. What was paid for the rest of its time is not given back. */
export async function deleteContainer(call: OwnedCall): Promise<Response> {
  const { parts, incoming } = call
  await countCall(parts.store, 'api', incoming.address)
  const row = await findOwn(call)
  const place = findPlace(parts, row)
  const gone = unknownContainer(row.id)
  incoming.keepOpen()
  try {
    const asking = { method: 'DELETE', beside: 'containers', path: `/${row.id}`, accept: '*/*' } as const
    if (place) await (await askForOwner(parts, incoming.request, place, asking, gone)).body?.cancel()
  } catch (error) {
    if (error !== gone) throw error
  }
  await parts.store.db.deleteFrom('openai_containers').where('mark', '=', row.mark).execute()
  return Response.json({ id: row.id, object: 'container.deleted', deleted: true })
}

/** A container of the caller's whose time is paid, and where it is. */
export interface OwnContainer {
  readonly row: ContainerRow
  readonly place: FoundPlace
}

/** Whatever is asked about a container makes its vendor keep it longer: only while that is paid. */
export async function openOwn(call: OwnedCall): Promise<OwnContainer> {
  const { parts, incoming } = call
  await countCall(parts.store, 'api', incoming.address)
  const row = await findOwn(call)
  const place = findPlace(parts, row)
  if (!place) throw new AppError('kept.gone')
  if (parts.now() >= row.paid_until) throw new AppError('kept.container-over', { id: row.id })
  return { row, place }
}

export async function askIn(
  { parts, incoming }: OwnedCall,
  { row, place }: OwnContainer,
  asking: Omit<Asking, 'beside' | 'path'> & { readonly path?: string },
  unknown = unknownContainer(row.id),
): Promise<Response> {
  incoming.keepOpen()
  const { path = '' } = asking
  const whole = { ...asking, beside: 'containers', path: `/${row.id}${path}` } as const
  return askForOwner(parts, incoming.request, place, whole, unknown)
}

async function findOwn({ parts, admitted, params: { id = '' } }: OwnedCall): Promise<ContainerRow> {
  const row = await knownContainer(parts, admitted.caller, id)
  if (!row) throw unknownContainer(id)
  return row
}
