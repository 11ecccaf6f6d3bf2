import { forceSearch } from '../force-search.ts'
import { makeFreeform } from '../freeform-tools.ts'
import { asText, isObject, type Json, type JsonObject } from '../json.ts'
import { refuseField, refuseNamed } from '../refuse.ts'
import type { NeutralRequest, Tool, ToolChoice } from '../spec.ts'
import { tellsTools } from '../tells-tools.ts'
import { type FunctionTool, groupTool, nameIn, TOOL_SEARCH } from './namespaces.ts'
import { readFlag, readList, readObject, readOneOf, readText, requireName } from './read-field.ts'

export function readTools(body: JsonObject): Pick<NeutralRequest, 'tools' | 'toolChoice'> {
  const tools = readOffered(body.tools, 'tools')
  addLater(tools, readLaterTools(body.input))
  const type = isObject(body.tool_choice) ? asText(body.tool_choice.type) : undefined
  if (type?.startsWith('web_search') && tools.some(tool => tool.type === 'web-search'))
    return forceSearch(tools)
  return { tools, toolChoice: readToolChoice(body.tool_choice) }
}

/** Tools may also be told in the midst of the conversation, and be found by the client's own search. */
function readLaterTools(input: Json | undefined): Tool[] {
  if (!Array.isArray(input)) return []
  return input.flatMap((item, at) => {
    if (!tellsTools(item)) return []
    return readOffered(item.tools, `input[${at}].tools`)
  })
}

/** What is told again is told anew. */
function addLater(tools: Tool[], later: readonly Tool[]): void {
  const places = new Map(tools.map((tool, at) => [nameOf(tool), at] as const).reverse())
  for (const tool of later) {
    const name = nameOf(tool)
    const known = places.get(name)
    if (known !== undefined) tools[known] = tool
    else places.set(name, tools.push(tool) - 1)
  }
}

/** Of those that are not the client's there is one of each type. */
function nameOf(tool: Tool): string {
  return tool.type === 'function' ? `function ${tool.name}` : tool.type
}

function readOffered(value: Json | undefined, field: string): Tool[] {
  return readList(value, field).flatMap((tool, at) => {
    if (!isObject(tool)) refuseField(`${field}[${at}]`, 'field.object')
    return readTool(tool, `${field}[${at}]`)
  })
}

function readTool(tool: JsonObject, field: string): Tool | Tool[] {
  const type = requireName(tool.type, `${field}.type`)
  // The settings keep their `type`: there are several searches, and an upstream of this dialect gets its own.
  if (type.startsWith('web_search')) return { type: 'web-search', settings: tool, by: 'openai-responses' }
  if (type === 'namespace') return readNamespace(tool, field)
  if (type === 'tool_search') return readToolSearch(tool, field)
  return readNamed(tool, type, field)
}

/** A tool of the client's own. */
function readNamed(tool: JsonObject, type: string, field: string): FunctionTool {
  if (type === 'custom')
    return makeFreeform(
      requireName(tool.name, `${field}.name`),
      readText(tool.description, `${field}.description`),
      readObject(tool.format, `${field}.format`),
    )
  if (type !== 'function') refuseNamed(type)
  return {
    type: 'function',
    name: requireName(tool.name, `${field}.name`),
    description: readText(tool.description, `${field}.description`),
    schema: readObject(tool.parameters, `${field}.parameters`),
    strict: readFlag(tool.strict, `${field}.strict`),
  }
}

function readNamespace(group: JsonObject, field: string): FunctionTool[] {
  const namespace = requireName(group.name, `${field}.name`)
  const description = readText(group.description, `${field}.description`)
  return readList(group.tools, `${field}.tools`).map((tool, at) => {
    const inner = `${field}.tools[${at}]`
    if (!isObject(tool)) refuseField(inner, 'field.object')
    const read = readNamed(tool, requireName(tool.type, `${inner}.type`), inner)
    return groupTool(read, { namespace, name: read.name, description }, at === 0)
  })
}

/** Where the vendor would search, all there is to find has been told: its model is shown everything at once. */
function readToolSearch(tool: JsonObject, field: string): FunctionTool[] {
  if (tool.execution !== 'client') return []
  return [
    {
      type: 'function',
      name: TOOL_SEARCH,
      description: readText(tool.description, `${field}.description`),
      schema: readObject(tool.parameters, `${field}.parameters`),
      findsTools: true,
    },
  ]
}

function readToolChoice(value: Json | undefined): ToolChoice | undefined {
  if (value === undefined || value === null) return undefined
  if (value === 'auto' || value === 'none' || value === 'required') return { type: value }
  if (!isObject(value))
    refuseField('tool_choice', 'field.one-of-or-object', { choices: 'auto, none, required' })
  switch (value.type) {
    case 'function':
    case 'custom':
      return { type: 'named', names: [requireNames(value, 'tool_choice')], mode: 'required' }
    case 'allowed_tools':
      return readAllowedTools(value)
    default:
      return refuseNamed('tool_choice', asText(value.type))
  }
}

function readAllowedTools(choice: JsonObject): ToolChoice {
  const mode = readOneOf(choice.mode, 'tool_choice.mode', ['auto', 'required']) ?? 'auto'
  const names = readList(choice.tools, 'tool_choice.tools').map((tool, at) => {
    const field = `tool_choice.tools[${at}]`
    if (!isObject(tool)) refuseField(field, 'field.object')
    if (tool.type !== 'function' && tool.type !== 'custom') refuseNamed('tool_choice', asText(tool.type))
    return requireNames(tool, field)
  })
  if (names.length === 0) refuseField('tool_choice.tools', 'field.empty')
  return { type: 'named', names, mode }
}

function requireNames(named: JsonObject, field: string): string {
  requireName(named.name, `${field}.name`)
  return nameIn(named)
}
