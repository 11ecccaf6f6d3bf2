import { asText, type JsonObject, parseObject } from '../../dialects/json.ts'
import type { GeminiFile } from '../../relay/gemini/file-rows.ts'
import type { RelayParts } from '../../relay/parts.ts'
import type { TaskCall } from '../define.ts'
import { ownAddress } from './own-address.ts'

/** As long as the vendor keeps a file that it says nothing of. */
const USUAL_SECONDS = 2 * 86_400
/** What its owner may know; names and addresses are others here. */
const shown = [
  ...['displayName', 'mimeType', 'sizeBytes', 'createTime', 'updateTime', 'expirationTime'],
  ...['sha256Hash', 'state', 'source', 'error', 'videoMetadata'],
]

/** What the vendor tells of a file that it has; it may have been noted before. */
export async function noteFile(
  { store, now }: RelayParts,
  file: GeminiFile,
  told: JsonObject,
): Promise<GeminiFile> {
  const expiry = Date.parse(asText(told.expirationTime) ?? '') / 1000
  const news = {
    upstream_name: (asText(told.name) ?? file.upstream_name).slice(0, 191),
    expires_at: Number.isFinite(expiry) ? Math.floor(expiry) : now() + USUAL_SECONDS,
    data: JSON.stringify(told),
  }
  await store.db.updateTable('gemini_files').set(news).where('id', '=', file.id).execute()
  return { ...file, ...news }
}

/** In Google's form, under our name. */
export function showFile(call: TaskCall, { name, data }: GeminiFile): JsonObject {
  const told = parseObject(data) ?? {}
  const known = Object.fromEntries(shown.flatMap(field => (field in told ? [[field, told[field]]] : [])))
  return { name: `files/${name}`, ...known, uri: `${ownAddress(call)}/v1beta/files/${name}` }
}
