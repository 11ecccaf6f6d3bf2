import type { JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { Format, NeutralRequest, Reasoning, Tool } from '../../dialects/spec.ts'
import type { Destination } from '../define.ts'
import { sayTextFiles } from '../kit/edits/say-text-files.ts'
import { writeMessages } from './write-messages.ts'

/** Dropped: that calls come one at a time, which it cannot be told. */
export function writeRequest(request: NeutralRequest, to: Destination): JsonObject {
  const { temperature, topP, topK, seed, stop, maxOutput, frequencyPenalty, presencePenalty } = request
  return {
    model: to.model,
    messages: writeMessages(sayTextFiles(request)),
    stream: to.stream,
    ...writeTools(request),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { p: clamp(topP, 0.01, 0.99) }),
    ...(topK !== undefined && { k: clamp(topK, 0, 500) }),
    ...(seed !== undefined && { seed }),
    ...(stop !== undefined && stop.length > 0 && { stop_sequences: [...stop] }),
    ...(maxOutput !== undefined && { max_tokens: maxOutput }),
    ...(frequencyPenalty !== undefined && { frequency_penalty: clamp(frequencyPenalty, 0, 1) }),
    ...(presencePenalty !== undefined && { presence_penalty: clamp(presencePenalty, 0, 1) }),
    ...writeThinking(request.reasoning, to.model),
    ...writeFormat(request.format),
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

/** It cannot be told which tool to call, but not to see the others. */
function writeTools({ tools: offered, toolChoice }: NeutralRequest): JsonObject {
  const names = toolChoice?.type === 'named' ? toolChoice.names : undefined
  const tools = offered.map(writeTool).filter(({ name }) => names?.includes(name) ?? true)
  if (tools.length === 0) return {}
  const kind = toolChoice?.type === 'named' ? toolChoice.mode : toolChoice?.type
  return {
    tools: tools.map(({ written }) => written),
    ...(kind === 'required' && { tool_choice: 'REQUIRED' }),
    ...(kind === 'none' && { tool_choice: 'NONE' }),
  }
}

function writeTool(tool: Tool): { name: string; written: JsonObject } {
  if (tool.type !== 'function') refuseNamed('web_search')
  const { name, description, schema } = tool
  const parameters = schema ?? { type: 'object', properties: {} }
  const about = description === undefined ? { name, parameters } : { name, description, parameters }
  return { name, written: { type: 'function', function: about } }
}

/** Models without thoughts refuse even the wish for them. */
function writeThinking(reasoning: Reasoning | undefined, model: string): JsonObject {
  if (!reasoning || /^command-(r|light|nightly|a-(03|vision|translate))/.test(model)) return {}
  const { effort, budget } = reasoning
  if (effort === 'none' || budget === 0) return { thinking: { type: 'disabled' } }
  if (budget !== undefined && budget > 0) return { thinking: { type: 'enabled', token_budget: budget } }
  return effort === undefined && budget === undefined ? {} : { thinking: { type: 'enabled' } }
}

function writeFormat(format: Format | undefined): JsonObject {
  if (!format) return {}
  const schema = format.type === 'schema' ? { json_schema: format.schema } : {}
  return { response_format: { type: 'json_object', ...schema } }
}
