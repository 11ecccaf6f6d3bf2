import { forceSearch } from '../force-search.ts'
import { makeFreeform } from '../freeform-tools.ts'
import { asText, isObject, type Json, type JsonObject } from '../json.ts'
import { refuseField, refuseNamed } from '../refuse.ts'
import type { NeutralRequest, Tool, ToolChoice } from '../spec.ts'
import { readFlag, readList, readObject, readOneOf, readText, requireName } from './read-field.ts'

export function readTools(body: JsonObject): Pick<NeutralRequest, 'tools' | 'toolChoice'> {
  const tools = readOffered(body.tools)
  const type = isObject(body.tool_choice) ? asText(body.tool_choice.type) : undefined
  if (type?.startsWith('web_search') && tools.some(tool => tool.type === 'web-search'))
    return forceSearch(tools)
  return { tools, toolChoice: readToolChoice(body.tool_choice) }
}

function readOffered(value: Json | undefined): Tool[] {
  return readList(value, 'tools').map((tool, at) => {
    if (!isObject(tool)) refuseField(`tools[${at}]`, 'field.object')
    return readTool(tool, `tools[${at}]`)
  })
}

function readTool(tool: JsonObject, field: string): Tool {
  const type = requireName(tool.type, `${field}.type`)
  // The settings keep their `type`: there are several searches, and an upstream of this dialect gets its own.
  if (type.startsWith('web_search')) return { type: 'web-search', settings: tool, by: 'openai-responses' }
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

function readToolChoice(value: Json | undefined): ToolChoice | undefined {
  if (value === undefined || value === null) return undefined
  if (value === 'auto' || value === 'none' || value === 'required') return { type: value }
  if (!isObject(value))
    refuseField('tool_choice', 'field.one-of-or-object', { choices: 'auto, none, required' })
  switch (value.type) {
    case 'function':
    case 'custom':
      return { type: 'named', names: [requireName(value.name, 'tool_choice.name')], mode: 'required' }
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
    return requireName(tool.name, `${field}.name`)
  })
  if (names.length === 0) refuseField('tool_choice.tools', 'field.empty')
  return { type: 'named', names, mode }
}
