import { asObject, asText, parseObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import { findFiles, type GeminiFile, ownFiles } from '../../relay/gemini/file-rows.ts'
import type { OwnedCall } from '../define.ts'
import { addressOf, asOwner, deleteThere, upstreamAt } from './account.ts'
import { isOutput, serveOutput } from './batches/output-file.ts'
import { cutPage, readPage } from './page.ts'
import { noteFile, showFile } from './show-file.ts'

const USUAL = 10
const MOST = 100

/** The caller's own, the newest first. */
export async function listFiles(call: OwnedCall): Promise<Response> {
  const { parts, incoming, admitted } = call
  const page = readPage(incoming.request.url, USUAL, MOST)
  let own = (await ownFiles(parts, admitted.caller)).rows
  if (page.after) own = own.where('id', '<', page.after)
  const found = await own
    .orderBy('id', 'desc')
    .limit(page.size + 1)
    .execute()
  const { rows, next } = cutPage(found, page)
  const files = await Promise.all(rows.map(async row => showFile(call, await brought(call, row))))
  return Response.json({ ...(files.length > 0 && { files }), ...next })
}

/** As it is now: of a film it takes the vendor a while until it can be used. */
export async function retrieveFile(call: OwnedCall): Promise<Response> {
  const file = await findFile(call)
  return Response.json(showFile(call, isOutput(file) ? file : await lookAt(call, file)))
}

/** What a batch was answered in. */
export async function downloadFile(call: OwnedCall): Promise<Response> {
  return serveOutput(call, await findFile(call))
}

/** At the vendor, then here. */
export async function deleteFile(call: OwnedCall): Promise<Response> {
  const file = await findFile(call)
  await deleteThere(call, file, unknownFile(file))
  await call.parts.store.db.deleteFrom('gemini_files').where('id', '=', file.id).execute()
  return Response.json({})
}

async function findFile({ parts, admitted, params }: OwnedCall): Promise<GeminiFile> {
  const { name = '' } = params
  const file = (await findFiles(parts, admitted.caller, [name])).get(name)
  if (!file) throw new AppError('gemini.no-file', { name })
  return file
}

/** A list tells what is known; only what was not ready yet is asked after. */
async function brought(call: OwnedCall, file: GeminiFile): Promise<GeminiFile> {
  if (asText(parseObject(file.data)?.state) !== 'PROCESSING') return file
  try {
    return await lookAt(call, file)
  } catch (error) {
    log.info('a file in a list could not be asked after', { error })
    return file
  }
}

async function lookAt({ parts, incoming }: OwnedCall, file: GeminiFile): Promise<GeminiFile> {
  const unknown = unknownFile(file)
  const upstream = upstreamAt(parts, file, incoming.request)
  if (!upstream) throw unknown
  const path = addressOf(upstream.channel, `/v1beta/${file.upstream_name}`)
  const told = asObject(await asOwner(upstream.json({ path }), unknown))
  return told && asText(told.name) ? noteFile(parts, file, told) : file
}

function unknownFile({ name }: GeminiFile): AppError {
  return new AppError('gemini.no-file', { name })
}
