import type { JsonObject } from '../../dialects/json.ts'
import { findOwnFile, type OpenaiFile, ownFiles, unknownFile } from '../../relay/openai-kept/file-rows.ts'
import { asOwner } from '../batches/place-of.ts'
import type { OwnedCall } from '../define.ts'
import { asContent } from '../kept/as-content.ts'
import {
  type FileRow,
  isBatchFileId,
  markOf,
  ownFiles as ownBatchFiles,
  showFile as showBatchFile,
} from '../openai-batches/file-rows.ts'
import {
  deleteFile as deleteBatchFile,
  retrieveFile as retrieveBatchFile,
  serveFileContent as serveBatchContent,
} from '../openai-batches/serve-files.ts'
import { type Page, readPage, readSought, showPage } from '../page.ts'
import { needUpstream, pathOf } from './account.ts'
import { deleteThere } from './delete-there.ts'
import { noteFile, readFile, showFile } from './show-file.ts'

const MOST = 10_000
const IDLE_MS = 60_000

/** Of either kind, as it stands in a list: those that came later have greater marks. */
interface Listed {
  readonly mark: string
  readonly show: () => JsonObject & { readonly id?: unknown }
}

interface Sought {
  readonly page: Page
  readonly purpose: string | null
  /** The mark of the last that the client has. */
  readonly after: string | undefined
}

/** The caller's own, for batches and for calls, the newest first unless asked otherwise. */
export async function listFiles(call: OwnedCall): Promise<Response> {
  const query = new URL(call.incoming.request.url).searchParams
  const page = readPage(query, MOST, MOST)
  const purpose = readSought(query, 'purpose')
  const after = page.after ? await markAfter(call, page.after) : undefined
  const sought = { page, purpose, after }
  const found = [...(await listNamed(call, sought)), ...(await listOfBatches(call, sought))]
  const isLater = ({ mark }: Listed, { mark: other }: Listed): number => (mark > other ? 1 : -1)
  found.sort(page.isRising ? isLater : (one, other) => isLater(other, one))
  return showPage(found.slice(0, page.limit + 1), page, ({ show }) => show())
}

/** One that is gone has no place in the list, unless its name is of ours. Vendors may have such names too. */
async function markAfter({ parts, admitted }: OwnedCall, id: string): Promise<string> {
  const file = await findOwnFile(parts, admitted.caller, id)
  if (file) return file.mark
  if (!isBatchFileId(id)) throw unknownFile(id)
  return markOf(id)
}

async function listNamed(
  { parts, admitted }: OwnedCall,
  { page, purpose, after }: Sought,
): Promise<Listed[]> {
  let { rows } = await ownFiles(parts, admitted.caller)
  if (purpose) rows = rows.where('purpose', '=', purpose)
  if (after) rows = rows.where('mark', page.isRising ? '>' : '<', after)
  const found = await rows
    .orderBy('mark', page.isRising ? 'asc' : 'desc')
    .limit(page.limit + 1)
    .execute()
  return found.map((file: OpenaiFile) => ({ mark: file.mark, show: () => showFile(file) }))
}

async function listOfBatches(call: OwnedCall, { page, purpose, after }: Sought): Promise<Listed[]> {
  let { rows } = await ownBatchFiles(call)
  if (purpose) rows = rows.where('purpose', '=', purpose)
  if (after) rows = rows.where('id', page.isRising ? '>' : '<', `file-${after}`)
  const found = await rows
    .orderBy('id', page.isRising ? 'asc' : 'desc')
    .limit(page.limit + 1)
    .execute()
  return found.map((file: FileRow) => ({ mark: markOf(file.id), show: () => showBatchFile(file) }))
}

export async function retrieveFile(call: OwnedCall): Promise<Response> {
  const { parts, incoming } = call
  const file = await findNamed(call)
  if (!file) return retrieveBatchFile(call)
  const asked = needUpstream(parts, file, incoming.request).json({ path: pathOf(file.id) })
  const told = readFile(await asOwner(asked, unknownFile(file.id)))
  return Response.json(showFile(await noteFile(parts, file, told)))
}

/** What was uploaded to be named, the vendor hands out to nobody: it says so itself. */
export async function serveContent(call: OwnedCall): Promise<Response> {
  const { parts, incoming } = call
  const file = await findNamed(call)
  if (!file) return serveBatchContent(call)
  incoming.keepOpen()
  const asked = needUpstream(parts, file, incoming.request).send({
    path: pathOf(file.id, '/content'),
    headers: { accept: '*/*', 'accept-encoding': 'identity' },
    idleMs: IDLE_MS,
  })
  return asContent(await asOwner(asked, unknownFile(file.id)))
}

/** At the vendor, then here. */
export async function deleteFile(call: OwnedCall): Promise<Response> {
  const { parts, incoming } = call
  const file = await findNamed(call)
  if (!file) return deleteBatchFile(call)
  incoming.keepOpen()
  await deleteThere(parts, file, incoming.request)
  return Response.json({ id: file.id, object: 'file', deleted: true })
}

/** Undefined for one of a batch, whose name is of ours, and for one that is not the caller's. */
function findNamed({ parts, admitted, params }: OwnedCall): Promise<OpenaiFile | undefined> {
  return findOwnFile(parts, admitted.caller, params.id ?? '')
}
