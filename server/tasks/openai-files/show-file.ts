import { asNumber, asObject, asText, type JsonObject, parseObject } from '../../dialects/json.ts'
import { isFileId, type OpenaiFile } from '../../relay/openai-kept/file-rows.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'

/** What the owner of a file may know. */
const shown = [
  ...['id', 'object', 'bytes', 'created_at', 'filename', 'purpose'],
  ...['status', 'status_details', 'expires_at'],
]

export type ToldFile = Pick<OpenaiFile, 'id' | 'bytes' | 'expires_at' | 'data'>

/** What the vendor says of a file that it has. */
export function readFile(answer: unknown): ToldFile {
  const told = asObject(answer)
  const id = asText(told?.id) ?? ''
  if (!told || !isFileId(id)) throw new UpstreamFailure({ without: 'empty' })
  const known = Object.fromEntries(shown.flatMap(name => (name in told ? [[name, told[name]]] : [])))
  return {
    id,
    bytes: countOf(told.bytes),
    expires_at: countOf(told.expires_at),
    data: JSON.stringify(known),
  }
}

function countOf(value: unknown): number {
  const count = asNumber(value) ?? 0
  return Number.isSafeInteger(count) && count > 0 ? count : 0
}

/** As it was told; it may have been before. */
export async function noteFile(
  { store }: RelayParts,
  file: OpenaiFile,
  { bytes, expires_at, data }: ToldFile,
): Promise<OpenaiFile> {
  const news = { bytes, expires_at, data }
  if (data !== file.data)
    await store.db.updateTable('openai_files').set(news).where('mark', '=', file.mark).execute()
  return { ...file, ...news }
}

/** In OpenAI's form. */
export function showFile({ id, data, purpose }: OpenaiFile): JsonObject {
  return { ...parseObject(data), id, object: 'file', purpose }
}
