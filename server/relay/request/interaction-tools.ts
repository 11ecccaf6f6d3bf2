import { asArray, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'

/** What Google's own tools are called where they have a type, and what those are called that do the same elsewhere. */
const usualTypes: ReadonlyMap<string, string> = new Map([
  ['google_search', 'web_search'],
  ['google_maps', 'web_search'],
  ['url_context', 'web_fetch'],
  ['mcp_server', 'mcp'],
])
/** These cost nothing but the tokens that the model reads and writes, wherever else they may. */
const freeTypes: ReadonlyMap<string, string> = new Map([
  ['code_execution', 'google_code_execution'],
  ['file_search', 'web_fetch'],
])

/** An interaction whose tools are named as others name theirs: by that it is known what they find, do and cost. */
export function withUsualTools(body: JsonObject): JsonObject {
  return { ...body, tools: asArray(body.tools).map(named) }
}

function named(tool: Json): Json {
  const type = asText(asObject(tool)?.type) ?? ''
  const usual = usualTypes.get(type) ?? freeTypes.get(type)
  return usual === undefined ? tool : { type: usual }
}
