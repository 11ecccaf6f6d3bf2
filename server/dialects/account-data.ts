import { asObject, isObject, type Json, type JsonObject } from './json.ts'

// Callers are strangers to the account that an upstream is asked with. What they only name, its vendor looks for there,
// with rights that are the operator's alone: buckets, data stores, servers behind a tunnel. Each dialect knows where
// its requests name such things. What is inside a request, or on the open web, is anybody's; and so is what has an id of
// its vendor's making (vector stores, prompts), which nobody guesses: whoever knows it was told. Files, caches and the
// like that were made here have owners, who are looked after where calls are led to the accounts that keep them.

/** Where a request names such a thing, as its sender would find it; undefined for what may go to any account. */
export type FindAccountData = (body: JsonObject) => string | undefined

/** Longer schemes there are none; what stands in requests besides addresses is base64, which has no colon. */
const scheme = /^\s*([a-z][a-z0-9+.-]{0,30}):/i
/** Not of places but of files, by ids of their vendors' making. */
const openSchemes: ReadonlySet<string> = new Set(['http', 'https', 'data', 'ms', 'fileid'])

/** An address that is neither on the open web nor the data itself: of a bucket, or of the vendor's own machine. */
export function isAccountAddress(value: Json | undefined): boolean {
  if (typeof value !== 'string') return false
  const named = scheme.exec(value.slice(0, 100))?.[1]?.toLowerCase()
  return named !== undefined && !openSchemes.has(named)
}

/** Vendors take one thing where a list of them is meant. */
export function listOf(value: Json | undefined): readonly Json[] {
  if (Array.isArray(value)) return value
  return value === undefined || value === null ? [] : [value]
}

/** The first of a list that names something, with its place in the list before what is named. */
export function findIn(
  list: readonly Json[],
  field: string,
  find: (item: JsonObject) => string | undefined,
): string | undefined {
  for (let at = 0; at < list.length; at++) {
    const item = list[at]
    const found = isObject(item) ? find(item) : undefined
    if (found !== undefined) return `${field}[${at}].${found}`
  }
  return undefined
}

const addressNames: ReadonlySet<string> = new Set([
  ...['url', 'image_url', 'video_url', 'audio_url', 'file_url', 'document_url'],
  ...['image', 'video', 'audio', 'file_data', 'data'],
])
const holders: ReadonlySet<string> = new Set([
  ...['file', 'image_url', 'video_url', 'audio_url', 'file_url', 'input_audio', 'mask'],
])

/** In a part of a message in either of OpenAI's dialects, and in a picture of its own; whatever it says that it is. */
export function findInPart(part: JsonObject): string | undefined {
  // Most are words, and have hardly a field.
  for (const name in part) {
    const value = part[name]
    if (namesHere(name, value)) return name
    const inner = holders.has(name) ? asObject(value) : undefined
    const found = inner && Object.keys(inner).find(one => namesHere(one, inner[one]))
    if (found !== undefined) return `${name}.${found}`
  }
  return undefined
}

function namesHere(name: string, value: Json | undefined): boolean {
  if (!addressNames.has(name)) return false
  return Array.isArray(value) ? value.some(isAccountAddress) : isAccountAddress(value)
}

/** Where callers describe what is their own. */
const described: ReadonlySet<string> = new Set(['parameters', 'headers', 'format', 'function', 'filters'])
const ownTools: ReadonlySet<Json | undefined> = new Set(['function', 'custom'])

/** In the tools of either of OpenAI's dialects. */
export function findInTools(tools: Json | undefined): string | undefined {
  return Array.isArray(tools) ? findIn(tools, 'tools', findInTool) : undefined
}

function findInTool(tool: JsonObject): string | undefined {
  if (ownTools.has(tool.type)) return undefined
  // To a server that only the operator's network has.
  if (tool.tunnel_id) return 'tunnel_id'
  // Whoever brings the proof themselves reads what is theirs.
  if (tool.connector_id && !tool.authorization) return 'connector_id'
  for (const [name, value] of Object.entries(tool)) {
    if (described.has(name)) continue
    const found = Array.isArray(value)
      ? findIn(value, name, findInTool)
      : isObject(value)
        ? prefixed(name, findInTool(value))
        : undefined
    if (found !== undefined) return found
  }
  return undefined
}

export function prefixed(name: string, found: string | undefined): string | undefined {
  return found === undefined ? undefined : `${name}.${found}`
}
