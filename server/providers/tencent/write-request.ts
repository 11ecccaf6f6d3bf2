import type { JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { NeutralRequest, Tool } from '../../dialects/spec.ts'
import type { Destination } from '../define.ts'
import { sayTextFiles } from '../kit/edits/say-text-files.ts'
import { writeMessages } from './write-messages.ts'

/** A limit of tokens cannot be said. */
export function writeRequest(request: NeutralRequest, to: Destination): JsonObject {
  if (request.format) refuseNamed('response_format')
  const { temperature, topP, seed, stop } = request
  return {
    Model: to.model,
    Messages: writeMessages(sayTextFiles(request)),
    Stream: to.stream,
    ...(temperature !== undefined && { Temperature: Math.min(2, Math.max(0, temperature)) }),
    ...(topP !== undefined && { TopP: Math.min(1, Math.max(0, topP)) }),
    ...(seed !== undefined && { Seed: seed }),
    ...(stop?.length && { Stop: [...stop] }),
    ...writeTools(request),
  }
}

function writeTools({ tools, toolChoice }: NeutralRequest): JsonObject {
  if (tools.length === 0) return {}
  const Tools = tools.map(writeTool)
  if (toolChoice === undefined || toolChoice.type === 'auto') return { Tools, ToolChoice: 'auto' }
  if (toolChoice.type === 'none') return { Tools, ToolChoice: 'none' }
  // It can be made to call one certain tool, not any of several.
  const allowed =
    toolChoice.type === 'named'
      ? Tools.filter((_, at) => toolChoice.names.includes(nameOf(tools[at])))
      : Tools
  if (toolChoice.type === 'named' && toolChoice.mode === 'auto') return { Tools: allowed, ToolChoice: 'auto' }
  const [only] = allowed
  if (!only || allowed.length > 1) refuseNamed('tool_choice')
  return { Tools, ToolChoice: 'custom', CustomTool: only }
}

function nameOf(tool: Tool | undefined): string {
  return tool?.type === 'function' ? tool.name : ''
}

/** The schema is JSON inside JSON. */
function writeTool(tool: Tool): JsonObject {
  if (tool.type !== 'function') refuseNamed('web_search')
  const { name, description, schema } = tool
  const Parameters = JSON.stringify(schema ?? { type: 'object', properties: {} })
  return {
    Type: 'function',
    Function: { Name: name, Parameters, ...(description !== undefined && { Description: description }) },
  }
}
