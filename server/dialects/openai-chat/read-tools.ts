import { makeFreeform } from '../freeform-tools.ts'
import { asObject, asText, isObject, type Json, type JsonObject } from '../json.ts'
import { refuseField, refuseValue } from '../refuse.ts'
import type { Format, Tool, ToolChoice } from '../spec.ts'
import { needText, takeFlag, takeObject, takeText } from './check-fields.ts'
import { readCacheMark } from './read-content.ts'

/** `tools`, the older `functions`, and the search that has a field of its own. */
export function readTools(body: JsonObject): Tool[] {
  const tools = asList(body.tools, 'tools').map((tool, index) => readTool(tool, `tools[${index}]`))
  asList(body.functions, 'functions').forEach((definition, index) => {
    if (!isObject(definition)) refuseField(`functions[${index}]`, 'field.object')
    tools.push(readFunction(definition, `functions[${index}]`))
  })
  const search = readSearch(body)
  if (search !== undefined) tools.push({ type: 'web-search', settings: search, by: 'openai-chat' })
  return tools
}

/** Where Perplexity's clients want it to look, and nowhere else. */
export const SEARCH_FILTERS = [
  'search_domain_filter',
  'search_recency_filter',
  'search_after_date_filter',
  'search_before_date_filter',
  'last_updated_after_filter',
  'last_updated_before_filter',
] as const

function readSearch(body: JsonObject): JsonObject | undefined {
  const options = takeObject(body, 'web_search_options')
  const filters = SEARCH_FILTERS.filter(name => (body[name] ?? undefined) !== undefined)
  if (filters.length === 0) return options
  return { ...options, ...Object.fromEntries(filters.map(name => [name, body[name]])) }
}

/** Offers functions in the older form and nothing in the newer. */
export function usesOldCalls({ tools, functions }: JsonObject): boolean {
  return Array.isArray(functions) && functions.length > 0 && !(Array.isArray(tools) && tools.length > 0)
}

function asList(value: Json | undefined, field: string): Json[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : refuseField(field, 'field.list')
}

function readTool(tool: Json, field: string): Tool {
  if (!isObject(tool)) refuseField(field, 'field.object')
  const type = tool.type ?? 'function'
  if (type === 'web_search' || type === 'web_search_preview') {
    const { type: _, ...settings } = tool
    return { type: 'web-search', settings, by: 'openai-chat' }
  }
  if (type === 'custom') return readCustom(tool, field)
  if (type !== 'function') refuseValue(`${field}.type`, type)
  if (!isObject(tool.function)) refuseField(`${field}.function`, 'field.object')
  return { ...readFunction(tool.function, `${field}.function`), cache: readCacheMark(tool) }
}

function readCustom(tool: JsonObject, field: string): Tool {
  const custom = takeObject(tool, 'custom', `${field}.custom`) ?? {}
  return makeFreeform(
    needText(custom, 'name', `${field}.custom.name`),
    takeText(custom, 'description', `${field}.custom.description`),
    takeObject(custom, 'format', `${field}.custom.format`),
  )
}

function readFunction(definition: JsonObject, field: string): Extract<Tool, { type: 'function' }> {
  return {
    type: 'function',
    name: needText(definition, 'name', `${field}.name`),
    description: takeText(definition, 'description', `${field}.description`),
    schema: takeObject(definition, 'parameters', `${field}.parameters`),
    strict: takeFlag(definition, 'strict', `${field}.strict`),
  }
}

export function readToolChoice(body: JsonObject): ToolChoice | undefined {
  const choice = body.tool_choice ?? undefined
  if (choice !== undefined) return readChoice(choice)
  const old = body.function_call ?? undefined
  if (old === undefined) return undefined
  if (old === 'auto' || old === 'none') return { type: old }
  if (!isObject(old)) refuseField('function_call', 'field.one-of-or-object', { choices: 'auto, none' })
  return { type: 'named', names: [needText(old, 'name', 'function_call.name')], mode: 'required' }
}

function readChoice(choice: Json): ToolChoice {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { type: choice }
  if (choice === 'any') return { type: 'required' }
  if (!isObject(choice))
    refuseField('tool_choice', 'field.one-of-or-object', { choices: 'auto, none, required' })
  if (choice.type === 'allowed_tools') return readAllowed(asObject(choice.allowed_tools) ?? choice)
  const kind = choice.type === 'custom' ? 'custom' : 'function'
  if (choice.type !== kind) refuseValue('tool_choice.type', choice.type)
  const named = asObject(choice[kind]) ?? {}
  return { type: 'named', names: [needText(named, 'name', `tool_choice.${kind}.name`)], mode: 'required' }
}

function readAllowed(allowed: JsonObject): ToolChoice {
  if (!Array.isArray(allowed.tools) || allowed.tools.length === 0)
    refuseField('tool_choice.allowed_tools.tools', 'field.some')
  const names = allowed.tools.map((tool, index) => {
    const named = asObject(tool)
    const holder = asObject(named?.function) ?? asObject(named?.custom) ?? named ?? {}
    return needText(holder, 'name', `tool_choice.allowed_tools.tools[${index}].function.name`)
  })
  return { type: 'named', names, mode: allowed.mode === 'required' ? 'required' : 'auto' }
}

export function readFormat(body: JsonObject): Format | undefined {
  const format = takeObject(body, 'response_format')
  if (format === undefined || format.type === 'text') return undefined
  if (format.type === 'json_object') return { type: 'json' }
  if (format.type !== 'json_schema') refuseValue('response_format.type', format.type)
  const field = 'response_format.json_schema'
  const named = takeObject(format, 'json_schema', field) ?? refuseField(field, 'field.object')
  return {
    type: 'schema',
    name: asText(named.name) || 'response',
    schema: takeObject(named, 'schema', `${field}.schema`) ?? {},
    strict: takeFlag(named, 'strict', `${field}.strict`),
    description: takeText(named, 'description', `${field}.description`),
  }
}
