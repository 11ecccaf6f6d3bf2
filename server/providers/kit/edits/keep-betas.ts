import { asArray, asObject, asText, type JsonObject } from '../../../dialects/json.ts'

/** Elsewhere what Anthropic itself takes without it, or by another name, needs this one. */
const TOOL_SEARCH = 'tool-search-tool-2025-10-19'

/**
 * The betas of an Anthropic client that a house which is not Anthropic's own knows. It refuses a request for one
 * that it does not, and clients such as Claude Code name all that they have, whether or not they need them.
 */
export function keepBetas(
  known: ReadonlySet<string>,
  body: JsonObject,
  client: Headers | undefined,
): string[] | undefined {
  const asked = client?.get('anthropic-beta')?.split(',') ?? []
  const names = asked.map(name => name.trim())
  const kept = names.filter(name => known.has(name))
  if (!kept.includes(TOOL_SEARCH) && searchesTools(body)) kept.push(TOOL_SEARCH)
  return kept.length > 0 ? kept : undefined
}

/** Only then the beta is needed; not every model has it. */
function searchesTools({ tools }: JsonObject): boolean {
  return asArray(tools).some(one => {
    const tool = asObject(one)
    return tool?.defer_loading === true || asText(tool?.type)?.startsWith('tool_search_tool') === true
  })
}
