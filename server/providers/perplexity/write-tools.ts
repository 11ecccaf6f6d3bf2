import { asArray, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import { SEARCH_FILTERS } from '../../dialects/openai-chat/read-tools.ts'
import type { NeutralRequest, Tool } from '../../dialects/spec.ts'

type Search = Extract<Tool, { type: 'web-search' }>

/** `searches`: a model that looks things up unasked does so only when it is offered the means. */
export function writeTools(request: NeutralRequest, searches: boolean): JsonObject {
  const { toolChoice: choice, parallelTools } = request
  const asked = request.tools.find(tool => tool.type === 'web-search')
  const named = choice?.type === 'named' ? choice.names : undefined
  const functions = request.tools.flatMap(tool =>
    tool.type === 'function' && (named?.includes(tool.name) ?? true) ? [writeFunction(tool)] : [],
  )
  const tools = [...(asked || searches ? [writeSearch(asked)] : []), ...functions]
  if (tools.length === 0) return {}
  return {
    tools,
    ...(functions.length > 0 && writeChoice(request)),
    ...(functions.length > 0 && parallelTools !== undefined && { parallel_tool_calls: parallelTools }),
  }
}

function writeFunction(tool: Extract<Tool, { type: 'function' }>): JsonObject {
  const { name, description, schema, strict } = tool
  return {
    type: 'function',
    name,
    ...(description !== undefined && { description }),
    parameters: schema ?? { type: 'object', properties: {} },
    ...(strict !== undefined && { strict }),
  }
}

function writeChoice({ toolChoice: choice }: NeutralRequest): JsonObject {
  if (!choice || choice.type === 'auto') return {}
  if (choice.type !== 'named') return { tool_choice: choice.type }
  const [name, second] = choice.names
  if (choice.mode === 'auto') return {}
  return { tool_choice: second === undefined ? { name } : 'required' }
}

function writeSearch(asked: Search | undefined): JsonObject {
  const settings = asked?.settings ?? {}
  const size = asText(settings.search_context_size)
  const place = writePlace(asObject(settings.user_location))
  const found = { ...writeDomains(settings), ...pickFilters(settings) }
  return {
    type: 'web_search',
    ...(size !== undefined && { search_context_size: size }),
    ...(place && { user_location: place }),
    ...(Object.keys(found).length > 0 && { filters: found }),
  }
}

function pickFilters(settings: JsonObject): JsonObject {
  return Object.fromEntries(SEARCH_FILTERS.flatMap(name => (settings[name] ? [[name, settings[name]]] : [])))
}

/** Sites that other vendors' clients allow, or will not have. */
function writeDomains(settings: JsonObject): JsonObject {
  const given = asObject(settings.filters) ?? settings
  const denied = asArray(given.blocked_domains).map(domain => `-${String(domain)}`)
  const domains: Json[] = [...asArray(given.allowed_domains), ...denied]
  return domains.length > 0 ? { search_domain_filter: domains } : {}
}

/** Chat wraps the place once more, Responses does not. */
function writePlace(location: JsonObject | undefined): JsonObject | undefined {
  const place = asObject(location?.approximate) ?? location
  const known = ['latitude', 'longitude', 'country', 'region', 'city'] as const
  const told = known.flatMap(name => (place?.[name] ? [[name, place[name]] as const] : []))
  return told.length > 0 ? Object.fromEntries(told) : undefined
}
