import { asObject, type Json, type JsonObject } from '../json.ts'
import { refuseChoice, refuseField, refuseNamed } from '../refuse.ts'
import type { Tool, ToolChoice } from '../spec.ts'
import { readCacheMark } from './read-blocks.ts'
import {
  readObject,
  readOptionalArray,
  readOptionalFlag,
  readOptionalObject,
  readOptionalText,
  readText,
} from './read-fields.ts'

export function readTools(body: JsonObject): readonly Tool[] {
  return readOptionalArray(body, 'tools', '').map((value, index) => readTool(value, `tools.${index}`))
}

export function readToolChoice(body: JsonObject): {
  readonly toolChoice?: ToolChoice | undefined
  readonly parallelTools?: boolean | undefined
} {
  const choice = readOptionalObject(body, 'tool_choice', '')
  if (choice === undefined) return {}
  const serial = readOptionalFlag(choice, 'disable_parallel_tool_use', 'tool_choice.')
  return {
    toolChoice: readChoice(choice),
    parallelTools: serial === undefined ? undefined : !serial,
  }
}

function readTool(value: Json, at: string): Tool {
  const tool = asObject(value)
  if (tool === undefined) refuseField(at, 'field.object')
  const within = `${at}.`
  const type = readOptionalText(tool, 'type', within) ?? 'custom'
  if (type.startsWith('web_search_')) return { type: 'web-search', settings: tool, by: 'anthropic' }
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
