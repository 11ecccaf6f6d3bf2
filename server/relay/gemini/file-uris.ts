import { mediaTypes } from '../../dialects/gemini-interactions/content-types.ts'
import { asObject, isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'

/** What has an address of Google's was uploaded there, not here: it knows itself who may read it. */
const fileUri =
  /^https?:\/\/(?!generativelanguage\.googleapis\.com[/:])[^?#\s]{1,500}\/v1(?:beta)?\/files\/([a-z0-9-]{1,40})$/
/** Where a request has parts. */
const holders = ['contents', 'systemInstruction', 'system_instruction', 'input'] as const
/** What functions are called with and say is theirs, whatever it looks like. */
const quoted: ReadonlySet<string> = new Set(['args', 'response', 'arguments'])
/** More than any request is about. */
const MOST_FILES = 500

/** The name of a file of ours; undefined for any other address. */
export function fileNameIn(uri: string): string | undefined {
  return fileUri.exec(uri)?.[1]
}

/** The addresses of files that a request names. */
export function fileUrisIn(body: JsonObject): ReadonlySet<string> {
  const uris = new Set<string>()
  renameFiles(body, uri => {
    if (uris.add(uri).size > MOST_FILES) refuseField('fileUri', 'field.most', { most: MOST_FILES })
    return undefined
  })
  return uris
}

/** What of the request's fields is otherwise when its files are called otherwise; what has no other name stays. */
export function renameFiles(body: JsonObject, rename: (uri: string) => string | undefined): JsonObject {
  const edits: JsonObject = {}
  for (const holder of holders) {
    const given = body[holder]
    const renamed = given === undefined ? given : renameIn(given, rename)
    if (renamed !== given) edits[holder] = renamed
  }
  return edits
}

/** The same value where nothing in it changes. Bodies are no deeper than `readJson` takes. */
function renameIn(value: Json, rename: (uri: string) => string | undefined): Json {
  if (Array.isArray(value)) {
    const list = value.map(one => renameIn(one, rename))
    return list.some((one, at) => one !== value[at]) ? list : value
  }
  if (!isObject(value)) return value
  let changed: JsonObject | undefined
  // Contents of an interaction have the address themselves.
  const own = mediaTypes.has(value.type) && typeof value.uri === 'string' ? rename(value.uri) : undefined
  if (own !== undefined) changed = { ...value, uri: own }
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined || quoted.has(name)) continue
    const isFile = name === 'fileData' || name === 'file_data'
    const other = isFile ? renameFile(asObject(inner), rename) : renameIn(inner, rename)
    if (other === undefined || other === inner) continue
    changed ??= { ...value }
    changed[name] = other
  }
  return changed ?? value
}

function renameFile(
  file: JsonObject | undefined,
  rename: (uri: string) => string | undefined,
): JsonObject | undefined {
  let changed: JsonObject | undefined
  for (const name of ['fileUri', 'file_uri']) {
    const uri = file?.[name]
    const other = typeof uri === 'string' ? rename(uri) : undefined
    if (other !== undefined) changed = { ...file, ...changed, [name]: other }
  }
  return changed
}
