import { asObject, asText, type JsonObject } from '../dialects/json.ts'

/** The version without sessions: every request says by itself what it needs. */
export const MODERN = '2026-07-28'

/** Those with `initialize` and sessions, the newest first. */
export const sessionVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

export const envelope = {
  version: 'io.modelcontextprotocol/protocolVersion',
  client: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  server: 'io.modelcontextprotocol/serverInfo',
} as const

export function metaOf(params: JsonObject): JsonObject {
  return asObject(params._meta) ?? {}
}

/** The version that a request's own envelope names; undefined for one of the older kind. */
export function versionInside(params: JsonObject): string | undefined {
  return asText(metaOf(params)[envelope.version])
}

/** Answers that the newer version lets clients keep; it wants to be told for how long. */
export const keepable: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
])

/** What a request is about, where the newer version repeats that in a header. */
const namedBy: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

export function nameIn(method: string, params: JsonObject): string | undefined {
  const field = Object.hasOwn(namedBy, method) ? namedBy[method] : undefined
  return field === undefined ? undefined : asText(params[field])
}

const PACKED = /^=\?base64\?(.*)\?=$/

/** As a header may say it. */
export function packName(name: string): string {
  const isPlain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(name) && !PACKED.test(name)
  return isPlain ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`
}

export function unpackName(header: string): string {
  const packed = PACKED.exec(header)?.[1]
  return packed === undefined ? header : Buffer.from(packed, 'base64').toString()
}
