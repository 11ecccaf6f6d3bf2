import { type FindAccountData, findIn, findInPart, findInTools, listOf, prefixed } from '../account-data.ts'
import { asObject, asText, isObject, type JsonObject } from '../json.ts'

/** Proofs that callers bring themselves; the others are the identity of the operator's resource. */
const broughtAlong: ReadonlySet<string> = new Set([
  ...['access_token', 'api_key', 'connection_string', 'encoded_api_key'],
  ...['key_and_key_id', 'username_and_password'],
])

export const accountData: FindAccountData = body =>
  findIn(listOf(body.data_sources), 'data_sources', findSource) ??
  findIn(Array.isArray(body.messages) ? body.messages : [], 'messages', findInMessage) ??
  findInTools(body.tools)

/** Azure's: who names no proof has that of the resource. */
function findSource({ parameters }: JsonObject): string | undefined {
  const proof = asText(asObject(asObject(parameters)?.authentication)?.type)
  return proof !== undefined && broughtAlong.has(proof) ? undefined : 'parameters.authentication'
}

function findInMessage({ content }: JsonObject): string | undefined {
  if (Array.isArray(content)) return findIn(content, 'content', findInPart)
  return isObject(content) ? prefixed('content', findInPart(content)) : undefined
}
