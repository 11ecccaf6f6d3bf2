import {
  type FindAccountData,
  findIn,
  findInPart,
  findInTools,
  isAccountAddress,
  listOf,
  prefixed,
} from '../account-data.ts'
import { asObject, asText, isObject, type Json, type JsonObject } from '../json.ts'

/** Proofs that callers bring themselves; the others are the identity of the operator's resource. */
const broughtAlong: ReadonlySet<string> = new Set([
  ...['access_token', 'api_key', 'connection_string', 'encoded_api_key'],
  ...['key_and_key_id', 'username_and_password'],
])

export const accountData: FindAccountData = body =>
  findIn(listOf(body.data_sources), 'data_sources', findSource) ??
  findCache(body) ??
  findIn(Array.isArray(body.messages) ? body.messages : [], 'messages', findInMessage) ??
  findInTools(body.tools)

/** Azure's: who names no proof has that of the resource. */
function findSource({ parameters }: JsonObject): string | undefined {
  const proof = asText(asObject(asObject(parameters)?.authentication)?.type)
  return proof !== undefined && broughtAlong.has(proof) ? undefined : 'parameters.authentication'
}

/** Where Google speaks this dialect. */
function findCache({ google, extra_body }: JsonObject): string | undefined {
  if (asObject(google)?.cached_content) return 'google.cached_content'
  const extra = extra_body === undefined ? undefined : asObject(asObject(extra_body)?.google)
  return extra?.cached_content ? 'extra_body.google.cached_content' : undefined
}

function findInMessage({ content, role }: JsonObject): string | undefined {
  if (Array.isArray(content)) return findIn(content, 'content', findInPart)
  if (isObject(content)) return prefixed('content', findInPart(content))
  // Qwen reads the files that a system message consists of.
  return role === 'system' && namesFile(content) ? 'content' : undefined
}

function namesFile(content: Json | undefined): boolean {
  return typeof content === 'string' && content.startsWith('fileid:') && isAccountAddress(content)
}
