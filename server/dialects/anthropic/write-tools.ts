import { asArray, asObject, type JsonObject } from '../json.ts'
import { refuseField } from '../refuse.ts'
import type { NeutralRequest, Tool, ToolChoice } from '../spec.ts'
import type { CacheMarks } from './cache-marks.ts'
import { closeSchema } from './close-schema.ts'
import type { ModelRules } from './model-rules.ts'

const NAME = /^[a-zA-Z0-9_-]{1,64}$/

/** Where only some tools may be used, only those are sent: the dialect can name one at most. */
export function writeTools(request: NeutralRequest, rules: ModelRules, marks: CacheMarks): JsonObject[] {
  return pickTools(request).map(tool =>
    tool.type === 'function'
      ? marks.mark(writeFunction(tool, rules), tool.cache)
      : writeWebSearch(tool, rules),
  )
}

export interface ToolForce {
  readonly choice?: JsonObject | undefined
  /** Said in words where the model cannot be forced. */
  readonly instruction?: string | undefined
}

export function writeToolChoice(request: NeutralRequest, rules: ModelRules, thinking: boolean): ToolForce {
  if (request.tools.length === 0) return {}
  const serial = request.parallelTools === false ? true : undefined
  const choice = request.toolChoice
  if (choice === undefined)
    return serial ? { choice: { type: 'auto', disable_parallel_tool_use: serial } } : {}
  if (choice.type === 'none') return { choice: { type: 'none' } }
  const forced = nameForced(choice)
  if (forced === undefined) return { choice: { type: 'auto', disable_parallel_tool_use: serial } }
  const mayForce = rules.forcedTools === 'yes' || (rules.forcedTools === 'without-thinking' && !thinking)
  if (mayForce) return { choice: { ...forced, disable_parallel_tool_use: serial } }
  return {
    choice: { type: 'auto', disable_parallel_tool_use: serial },
    instruction:
      forced.type === 'tool'
        ? `You must call the tool \`${String(forced.name)}\` now instead of answering in text.`
        : 'You must call one of the tools now instead of answering in text.',
  }
}

function nameForced(choice: ToolChoice): JsonObject | undefined {
  if (choice.type === 'required') return { type: 'any' }
  if (choice.type !== 'named' || choice.mode === 'auto') return undefined
  const [name, second] = choice.names
  return name !== undefined && second === undefined ? { type: 'tool', name } : { type: 'any' }
}

function pickTools(request: NeutralRequest): readonly Tool[] {
  const { tools, toolChoice: choice } = request
  if (choice?.type !== 'named' || tools.length === 0) return tools
  const names = new Set(choice.names)
  const picked = tools.filter(tool => tool.type === 'function' && names.has(tool.name))
  if (picked.length === 0) refuseField('tool_choice', 'field.no-such-tool')
  return choice.mode === 'required' && names.size === 1 ? tools : picked
}

function writeFunction(tool: Extract<Tool, { type: 'function' }>, rules: ModelRules): JsonObject {
  if (!NAME.test(tool.name)) refuseField('tools', 'field.tool-name')
  const schema = writeSchema(tool.schema)
  const heldTo = tool.strict === true && rules.schemas ? closeSchema(schema) : undefined
  return {
    name: tool.name,
    description: tool.description === '' ? undefined : tool.description,
    input_schema: heldTo ?? schema,
    strict: heldTo && true,
  }
}

function writeSchema(schema: JsonObject | undefined): JsonObject {
  if (schema === undefined) return { type: 'object', properties: {} }
  return schema.type === 'object' ? schema : { ...schema, type: 'object' }
}

function writeWebSearch(tool: Extract<Tool, { type: 'web-search' }>, rules: ModelRules): JsonObject {
  if (tool.by === 'anthropic') return tool.settings
  const domains = asArray(asObject(tool.settings.filters)?.allowed_domains)
  return {
    type: rules.thinking === 'budget' ? 'web_search_20250305' : 'web_search_20260318',
    name: 'web_search',
    allowed_domains: domains.length > 0 ? [...domains] : undefined,
    user_location: writeLocation(asObject(tool.settings.user_location)),
  }
}

/** Chat wraps the place once more, Responses does not. */
function writeLocation(location: JsonObject | undefined): JsonObject | undefined {
  if (location === undefined) return undefined
  const place = asObject(location.approximate) ?? location
  const { city, region, country, timezone } = place
  return { type: 'approximate', city, region, country, timezone }
}
