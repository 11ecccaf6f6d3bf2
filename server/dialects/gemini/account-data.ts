import { type FindAccountData, findIn, isAccountAddress, listOf, prefixed } from '../account-data.ts'
import { asObject, type JsonObject } from '../json.ts'

/** Of every name there are two spellings, and both are taken. */
export const accountData: FindAccountData = body => {
  const system = named(body, 'systemInstruction', 'system_instruction')
  return (
    named(body, 'modelArmorConfig', 'model_armor_config') ??
    findBucket(body) ??
    findIn(listOf(body.tools), 'tools', findInTool) ??
    (system && prefixed(system, findInContent(asObject(body[system]) ?? {}))) ??
    findIn(listOf(body.contents), 'contents', findInContent)
  )
}

/** The same of what is to be put into vectors: one content, or a list of requests. */
export const embeddedData: FindAccountData = ({ content, requests }) =>
  prefixed('content', findInContent(asObject(content) ?? {})) ??
  findIn(listOf(requests), 'requests', one => prefixed('content', findInContent(asObject(one.content) ?? {})))

function findInContent({ parts }: JsonObject): string | undefined {
  return findIn(listOf(parts), 'parts', findInPart)
}

function findInPart(part: JsonObject): string | undefined {
  const file = named(part, 'fileData', 'file_data')
  if (file) return prefixed(file, findAddress(asObject(part[file]) ?? {}))
  const result = named(part, 'functionResponse', 'function_response')
  return result && prefixed(result, findInContent(asObject(part[result]) ?? {}))
}

function findAddress(file: JsonObject): string | undefined {
  const name = named(file, 'fileUri', 'file_uri')
  return name && isAccountAddress(file[name]) ? name : undefined
}

/** Where what is made is to be written. */
function findBucket(body: JsonObject): string | undefined {
  const output = named(body, 'outputConfig', 'output_config')
  const bucket = output && named(asObject(body[output]) ?? {}, 'outputUriPrefix', 'output_uri_prefix')
  return output && prefixed(output, bucket)
}

/**
 * Data stores, corpora, secrets that are the proof for somebody's interface, and others' searches that the account has
 * subscribed to: whoever brings the key for one pays for it.
 */
function findInTool(tool: JsonObject): string | undefined {
  if (tool.retrieval) return 'retrieval'
  const search = named(tool, 'parallelAiSearch', 'parallel_ai_search', 'exaAiSearch', 'exa_ai_search')
  const own = search && asObject(tool[search])
  if (search && !own?.apiKey && !own?.api_key) return search
  const maps = named(tool, 'googleMaps', 'google_maps')
  const proof = maps && named(asObject(tool[maps]) ?? {}, 'authConfig', 'auth_config')
  return maps && prefixed(maps, proof)
}

function named<Name extends string>(object: JsonObject, ...names: readonly Name[]): Name | undefined {
  return names.find(name => object[name] !== undefined && object[name] !== null)
}
