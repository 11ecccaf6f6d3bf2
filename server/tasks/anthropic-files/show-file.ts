import { asNumber, asObject, asText, type JsonObject, parseObject } from '../../dialects/json.ts'
import { type AnthropicFile, isFileId } from '../../relay/anthropic/file-rows.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'

/** What the owner of a file may know. */
const shown = [
  ...['id', 'type', 'filename', 'mime_type', 'size_bytes', 'created_at'],
  ...['downloadable', 'expires_at', 'scope'],
]

export type ToldFile = Pick<AnthropicFile, 'id' | 'bytes' | 'expires_at' | 'data'>

/** What the vendor says of a file that it has. */
export function readFile(answer: unknown): ToldFile {
  const told = asObject(answer)
  const id = asText(told?.id) ?? ''
  if (!told || !isFileId(id)) throw new UpstreamFailure({ without: 'empty' })
  const bytes = asNumber(told.size_bytes) ?? 0
  const expiry = Math.floor(Date.parse(asText(told.expires_at) ?? '') / 1000)
  const known = Object.fromEntries(shown.flatMap(name => (name in told ? [[name, told[name]]] : [])))
  return {
    id,
    bytes: Number.isSafeInteger(bytes) && bytes > 0 ? bytes : 0,
    expires_at: Number.isSafeInteger(expiry) && expiry > 0 ? expiry : 0,
    data: JSON.stringify(known),
  }
}

/** As it was told; it may have been before. */
export async function noteFile(
  { store }: RelayParts,
  file: AnthropicFile,
  { bytes, expires_at, data }: ToldFile,
): Promise<AnthropicFile> {
  const news = { bytes, expires_at, data }
  if (data !== file.data)
    await store.db.updateTable('anthropic_files').set(news).where('mark', '=', file.mark).execute()
  return { ...file, ...news }
}

/** In Anthropic's form. Of one that its vendor could not be asked after, what is known. */
export function showFile({ id, data, bytes, created_at }: AnthropicFile): JsonObject {
  return (
    parseObject(data) ?? {
      ...{ id, type: 'file', filename: id, mime_type: 'application/octet-stream', size_bytes: bytes },
      ...{ created_at: new Date(created_at * 1000).toISOString(), downloadable: true },
    }
  )
}
