import { asArray, asObject, asText, type Json, type JsonObject } from '../dialects/json.ts'

const BEFORE_NAMES = '__'
const BEFORE_ADDRESSES = '+'

/** How something is called where all servers are offered together: tools and prompts. */
function joinName(server: string, name: string): string {
  return `${server}${BEFORE_NAMES}${name}`
}

export function splitName(joined: string): { readonly server: string; readonly name: string } | undefined {
  return splitAt(joined, BEFORE_NAMES)
}

/** The same of resources: what stands before the address becomes a part of its scheme. */
function joinAddress(server: string, uri: string): string {
  return `${server}${BEFORE_ADDRESSES}${uri}`
}

export function splitAddress(joined: string): { readonly server: string; readonly name: string } | undefined {
  return splitAt(joined, BEFORE_ADDRESSES)
}

function splitAt(joined: string, sign: string) {
  const at = joined.indexOf(sign)
  if (at <= 0) return undefined
  return { server: joined.slice(0, at), name: joined.slice(at + sign.length) }
}

/** What a list of each kind holds, and by which field its entries are known. */
export const lists = {
  'tools/list': { field: 'tools', by: 'name', join: joinName },
  'prompts/list': { field: 'prompts', by: 'name', join: joinName },
  'resources/list': { field: 'resources', by: 'uri', join: joinAddress },
  'resources/templates/list': { field: 'resourceTemplates', by: 'uriTemplate', join: joinAddress },
} as const
export type ListMethod = keyof typeof lists

/** Addresses inside an answer, as they are asked for where all servers are offered together. */
export function joinAddresses(server: string, answer: JsonObject): JsonObject {
  const renamed = { ...answer }
  if (Array.isArray(answer.content))
    renamed.content = asArray(answer.content).map(part => ofPart(server, part))
  if (Array.isArray(answer.contents))
    renamed.contents = asArray(answer.contents).map(one => ofResource(server, one))
  if (Array.isArray(answer.messages))
    renamed.messages = asArray(answer.messages).map(message => {
      const given = asObject(message)
      return given?.content === undefined ? message : { ...given, content: ofPart(server, given.content) }
    })
  return renamed
}

function ofPart(server: string, part: Json): Json {
  const given = asObject(part)
  if (given?.type === 'resource_link') return ofResource(server, given)
  if (given?.type !== 'resource' || given.resource === undefined) return part
  return { ...given, resource: ofResource(server, given.resource) }
}

function ofResource(server: string, resource: Json): Json {
  const given = asObject(resource)
  const uri = asText(given?.uri)
  return given && uri !== undefined ? { ...given, uri: joinAddress(server, uri) } : resource
}
