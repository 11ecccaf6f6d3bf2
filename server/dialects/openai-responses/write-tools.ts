import { asObject, type JsonObject } from '../json.ts'
import type { Format, Tool, ToolChoice } from '../spec.ts'

/** `strict` is always said: left out, the vendor turns it on, and other dialects mean off by that. */
export function writeTool(tool: Tool): JsonObject {
  if (tool.type === 'web-search') return writeWebSearch(tool.settings, tool.by)
  return {
    type: 'function',
    name: tool.name,
    description: tool.description,
    parameters: tool.schema ?? { type: 'object', properties: {} },
    strict: tool.strict ?? false,
  }
}

function writeWebSearch(settings: JsonObject, by: string): JsonObject {
  switch (by) {
    case 'openai-responses':
      return { type: 'web_search', ...settings }
    case 'openai-chat':
      return {
        type: 'web_search',
        search_context_size: settings.search_context_size,
        user_location: flattenPlace(asObject(settings.user_location)),
      }
    case 'anthropic':
      return {
        type: 'web_search',
        filters: writeDomains(settings),
        user_location: asObject(settings.user_location),
      }
    default:
      return { type: 'web_search' }
  }
}

function flattenPlace(place: JsonObject | undefined): JsonObject | undefined {
  return place && { type: 'approximate', ...asObject(place.approximate) }
}

function writeDomains(settings: JsonObject): JsonObject | undefined {
  const { allowed_domains, blocked_domains } = settings
  return allowed_domains || blocked_domains ? { allowed_domains, blocked_domains } : undefined
}

export function writeToolChoice(choice: ToolChoice): string | JsonObject {
  if (choice.type !== 'named') return choice.type
  const [first] = choice.names
  if (choice.names.length === 1 && choice.mode === 'required') return { type: 'function', name: first }
  const tools = choice.names.map(name => ({ type: 'function', name }))
  return { type: 'allowed_tools', mode: choice.mode, tools }
}

export function writeFormat(format: Format | undefined): JsonObject | undefined {
  if (!format) return undefined
  if (format.type === 'json') return { type: 'json_object' }
  return {
    type: 'json_schema',
    name: format.name,
    description: format.description,
    schema: format.schema,
    strict: format.strict ?? false,
  }
}
