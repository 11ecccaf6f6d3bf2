import { refuseField } from '../../dialects/refuse.ts'
import { log } from '../../log.ts'
import {
  type AnthropicFile,
  findFiles,
  isFileId,
  ownFiles,
  unknownFile,
} from '../../relay/anthropic/file-rows.ts'
import { asOwner } from '../batches/place-of.ts'
import type { OwnedCall } from '../define.ts'
import { asContent } from '../kept/as-content.ts'
import { readLimit, readSought } from '../page.ts'
import { fileHeaders, needUpstream, pathOf } from './account.ts'
import { deleteThere } from './delete-there.ts'
import { noteFile, readFile, showFile } from './show-file.ts'

const USUAL = 20
const MOST = 1000
const MOST_IDS = 100
const ASKED_AT_ONCE = 10
const IDLE_MS = 60_000
const pageName = /^page_([0-9a-f]{32})$/

/** The caller's own, the newest first. Before one are those that are newer than it. */
export async function listFiles(call: OwnedCall): Promise<Response> {
  const { parts, incoming, admitted } = call
  const query = new URL(incoming.request.url).searchParams
  const limit = readLimit(query.get('limit'), USUAL, MOST)
  // Sessions are made nowhere here, so none has a file.
  if (query.get('scope_id')) return showPage([])
  const ids = readIds(query)
  if (ids) {
    const found = await findFiles(parts, admitted.caller, ids)
    return showPage(await brought(call, [...found.values()]))
  }
  const before = await markOf(call, readSought(query, 'before_id'))
  const after = readPage(query) ?? (await markOf(call, readSought(query, 'after_id')))
  if (before && after) refuseField('before_id', 'field.twice', { other: 'after_id' })
  let { rows } = await ownFiles(parts, admitted.caller)
  if (before) rows = rows.where('mark', '>', before)
  if (after) rows = rows.where('mark', '<', after)
  const found = await rows
    .orderBy('mark', before ? 'asc' : 'desc')
    .limit(limit + 1)
    .execute()
  const page = found.slice(0, limit)
  if (before) page.reverse()
  const hasMore = found.length > limit
  return showPage(await brought(call, page), { hasMore, goesOn: hasMore && !before })
}

/** For clients that go on by the last id, and for those that go on by a page of which they know nothing. */
function showPage(files: readonly AnthropicFile[], { hasMore = false, goesOn = false } = {}): Response {
  const last = files.at(-1)
  return Response.json({
    data: files.map(showFile),
    has_more: hasMore,
    first_id: files[0]?.id ?? null,
    last_id: last?.id ?? null,
    next_page: goesOn && last ? `page_${last.mark}` : null,
  })
}

function readIds(query: URLSearchParams): ReadonlySet<string> | undefined {
  const ids = new Set([...query.getAll('ids'), ...query.getAll('ids[]')])
  if (ids.size > MOST_IDS) refuseField('ids', 'field.most', { most: MOST_IDS })
  return ids.size === 0 ? undefined : ids
}

function readPage(query: URLSearchParams): string | undefined {
  const page = query.get('page')
  if (!page) return undefined
  const mark = pageName.exec(page)?.[1]
  if (mark === undefined) refuseField('page', 'field.page-token')
  return mark
}

async function markOf({ parts, admitted }: OwnedCall, id: string | null): Promise<string | undefined> {
  if (!id) return undefined
  const file = (await findFiles(parts, admitted.caller, [id])).get(id)
  if (!file) throw unknownFile(id)
  return file.mark
}

/**
 * A list tells what is known; only what was made for an answer, and never looked at, is asked after. Some at a time, and
 * no more where none of them is told of: lists may be long, and the account is many people's.
 */
async function brought(call: OwnedCall, files: readonly AnthropicFile[]): Promise<AnthropicFile[]> {
  const unseen = files.filter(({ data }) => data === '')
  const seen = new Map<string, AnthropicFile>()
  for (let at = 0; at < unseen.length; at += ASKED_AT_ONCE) {
    const turn = unseen.slice(at, at + ASKED_AT_ONCE)
    const told = await Promise.all(turn.map(file => lookAtIfThere(call, file)))
    for (const file of told) if (file) seen.set(file.mark, file)
    if (!told.some(Boolean)) break
  }
  return files.map(file => seen.get(file.mark) ?? file)
}

async function lookAtIfThere(call: OwnedCall, file: AnthropicFile): Promise<AnthropicFile | undefined> {
  try {
    return await lookAt(call, file)
  } catch (error) {
    log.info('a file in a list could not be asked after', { error })
    return undefined
  }
}

export async function retrieveFile(call: OwnedCall): Promise<Response> {
  return Response.json(showFile(await lookAt(call, await findFile(call))))
}

async function lookAt({ parts, incoming }: OwnedCall, file: AnthropicFile): Promise<AnthropicFile> {
  const { request } = incoming
  const asked = needUpstream(parts, file, request).json({
    path: pathOf(file.id),
    headers: fileHeaders(request),
  })
  const told = readFile(await asOwner(asked, unknownFile(file.id)))
  return noteFile(parts, file, told)
}

/** As it comes from the vendor, who hands out only what was made for an answer. */
export async function downloadFile(call: OwnedCall): Promise<Response> {
  const { parts, incoming } = call
  const { request } = incoming
  const file = await findFile(call)
  incoming.keepOpen()
  const asked = needUpstream(parts, file, request).send({
    path: pathOf(file.id, '/content'),
    headers: { ...fileHeaders(request), accept: 'application/binary', 'accept-encoding': 'identity' },
    idleMs: IDLE_MS,
  })
  const response = await asOwner(asked, unknownFile(file.id))
  return asContent(response)
}

/** At the vendor, then here. */
export async function deleteFile(call: OwnedCall): Promise<Response> {
  const { parts, incoming } = call
  const file = await findFile(call)
  incoming.keepOpen()
  await deleteThere(parts, file, incoming.request)
  return Response.json({ id: file.id, type: 'file_deleted' })
}

async function findFile({ parts, admitted, params }: OwnedCall): Promise<AnthropicFile> {
  const { id = '' } = params
  const file = isFileId(id) ? (await findFiles(parts, admitted.caller, [id])).get(id) : undefined
  if (!file) throw unknownFile(id)
  return file
}
