import { forceSearch } from '../force-search.ts'
import { asObject, type Json, type JsonObject } from '../json.ts'
import { refuseChoice, refuseField, refuseNamed } from '../refuse.ts'
import type { NeutralRequest, Tool, ToolChoice } from '../spec.ts'
import { readCacheMark } from './read-blocks.ts'
import {
  readObject,
  readOptionalArray,
  readOptionalFlag,
  readOptionalObject,
  readOptionalText,
  readText,
} from './read-fields.ts'

export function readTools(body: JsonObject): Pick<NeutralRequest, 'tools' | 'toolChoice' | 'parallelTools'> {
  const offered = readOptionalArray(body, 'tools', '')
  const tools = offered.flatMap((value, index) => readTool(value, `tools.${index}`))
  const choice = readOptionalObject(body, 'tool_choice', '')
  if (choice === undefined) return { tools }
  const serial = readOptionalFlag(choice, 'disable_parallel_tool_use', 'tool_choice.')
  const toolChoice = readChoice(choice)
  return {
    ...(namesSearch(toolChoice, tools) ? forceSearch(tools) : { tools, toolChoice }),
    parallelTools: serial === undefined ? undefined : !serial,
  }
}

function namesSearch(choice: ToolChoice, tools: readonly Tool[]): boolean {
  if (choice.type !== 'named') return false
  return tools.some(tool => tool.type === 'web-search' && choice.names.includes(String(tool.settings.name)))
}

function readTool(value: Json, at: string): Tool | [] {
  const tool = asObject(value)
  if (tool === undefined) refuseField(at, 'field.object')
  const within = `${at}.`
  const type = readOptionalText(tool, 'type', within) ?? 'custom'
  if (type.startsWith('web_search_')) return { type: 'web-search', settings: tool, by: 'anthropic' }
  // Where the vendor would search for tools, all there are have been told: other models are shown them at once.
  if (type.startsWith('tool_search_tool_')) return []
  if (type !== 'custom') refuseNamed(type)
  return {
    type: 'function',
    name: readText(tool, 'name', within),
    description: readOptionalText(tool, 'description', within),
    schema: readObject(tool, 'input_schema', within),
    strict: readOptionalFlag(tool, 'strict', within),
    cache: readCacheMark(tool),
  }
}

function readChoice(choice: JsonObject): ToolChoice {
  switch (choice.type) {
    case 'auto':
    case 'none':
      return { type: choice.type }
    case 'any':
      return { type: 'required' }
    case 'tool':
      return { type: 'named', names: [readText(choice, 'name', 'tool_choice.')], mode: 'required' }
    default:
      refuseChoice('tool_choice.type', ['auto', 'any', 'tool', 'none'])
  }
}
