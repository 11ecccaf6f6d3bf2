import { asArray, asObject, asText, type JsonObject } from '../../../dialects/json.ts'
import type { NeutralRequest } from '../../../dialects/spec.ts'
import type { Edits } from '../../define.ts'
import { addSystem } from './add-system.ts'

/** The tool that has to be called, '' for any of them; undefined when none has to be. */
export function forcedTool({ tools, tool_choice }: JsonObject): string | undefined {
  if (asArray(tools).length === 0) return undefined
  if (tool_choice === 'required') return ''
  const choice = asObject(tool_choice)
  return choice?.type === 'function' ? (asText(asObject(choice.function)?.name) ?? '') : undefined
}

/** For vendors that take no other choice than the model's own: it is told, and offered nothing else. */
export function askForCall(body: JsonObject): Edits | undefined {
  const forced = forcedTool(body)
  if (forced === undefined) return undefined
  const named = asArray(body.tools).filter(tool => asObject(asObject(tool)?.function)?.name === forced)
  return {
    ...(named.length > 0 && { tools: named }),
    tool_choice: 'auto',
    messages: addSystem(asArray(body.messages), orderToCall(forced)),
  }
}

/** The same for vendors that know no choice at all: that no tool may be called is said by not offering any. */
export function sayToolChoice(request: NeutralRequest): NeutralRequest {
  const { toolChoice: choice, tools, system } = request
  if (!choice || choice.type === 'auto' || tools.length === 0) return request
  if (choice.type === 'none') return { ...request, toolChoice: undefined, tools: [] }
  const isNamed = choice.type === 'named'
  const names = new Set(isNamed ? choice.names : [])
  const named = tools.filter(tool => tool.type === 'function' && names.has(tool.name))
  const offered = named.length > 0 ? named : tools
  if (isNamed && choice.mode === 'auto') return { ...request, toolChoice: undefined, tools: offered }
  const [only, second] = isNamed ? choice.names : []
  const order = orderToCall(second === undefined ? (only ?? '') : '')
  return {
    ...request,
    toolChoice: undefined,
    tools: offered,
    system: [...system, { type: 'text', text: order }],
  }
}

function orderToCall(tool: string): string {
  return tool === ''
    ? 'You must call one of the tools now instead of answering in text.'
    : `You must call the tool \`${tool}\` now instead of answering in text.`
}
