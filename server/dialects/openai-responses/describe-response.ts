import type { Asked } from '../dialect.ts'
import type { JsonObject } from '../json.ts'
import type { Finish, NeutralRequest, TokenUsage, Tool } from '../spec.ts'
import { writeResponseError } from './problems.ts'
import { writeFormat, writeTool, writeToolChoice } from './write-tools.ts'

/** The fields of a response that repeat the request. */
export function echoRequest({ model, request }: Asked): JsonObject {
  return {
    background: false,
    instructions: request.system.map(part => part.text).join('\n\n') || null,
    max_output_tokens: request.maxOutput ?? null,
    metadata: {},
    model,
    parallel_tool_calls: request.parallelTools ?? true,
    previous_response_id: null,
    reasoning: echoReasoning(request),
    store: false,
    temperature: request.temperature ?? null,
    text: {
      format: writeFormat(request.format) ?? { type: 'text' },
      verbosity: request.verbosity ?? 'medium',
    },
    tool_choice: request.toolChoice ? writeToolChoice(request.toolChoice) : 'auto',
    tools: echoTools(request.tools),
    top_p: request.topP ?? null,
    truncation: 'disabled',
    user: request.user ?? null,
  }
}

function echoTools(tools: readonly Tool[]): JsonObject[] {
  const echoed: JsonObject[] = []
  const groups = new Map<string, JsonObject[]>()
  for (const tool of tools) {
    if (tool.type !== 'function' || !tool.grouped) {
      echoed.push(echoTool(tool))
      continue
    }
    const { namespace, name, description = '' } = tool.grouped
    const inner = groups.get(namespace) ?? []
    if (inner.length === 0) echoed.push({ type: 'namespace', name: namespace, description, tools: inner })
    inner.push(echoTool({ ...tool, name }))
    groups.set(namespace, inner)
  }
  return echoed
}

function echoTool(tool: Tool): JsonObject {
  if (tool.type !== 'function') return writeTool(tool)
  if (tool.findsTools)
    return {
      type: 'tool_search',
      execution: 'client',
      description: tool.description,
      parameters: tool.schema,
    }
  return tool.freeform ? { type: 'custom', name: tool.name, ...tool.freeform } : writeTool(tool)
}

function echoReasoning({ reasoning }: NeutralRequest): JsonObject {
  return { effort: reasoning?.effort ?? null, summary: reasoning?.visible ? 'auto' : null }
}

export interface Outcome {
  readonly status: 'completed' | 'incomplete' | 'failed'
  readonly error: JsonObject | null
  readonly incomplete_details: JsonObject | null
}

/** A refusal in words is a complete answer; an answer that a filter took away is not. */
export function describeFinish(finish: Finish, refused: boolean): Outcome {
  if (finish.reason === 'length') return describeIncomplete('max_output_tokens')
  if (finish.reason === 'filtered' && !refused) return describeIncomplete('content_filter')
  if (finish.reason !== 'broken-call') return { status: 'completed', error: null, incomplete_details: null }
  const message = finish.explanation ?? 'The model called a tool in a way that could not be read'
  return {
    status: 'failed',
    error: writeResponseError({ status: 500, message }),
    incomplete_details: null,
  }
}

function describeIncomplete(reason: string): Outcome {
  return { status: 'incomplete', error: null, incomplete_details: { reason } }
}

export function writeUsage(usage: TokenUsage | undefined): JsonObject | null {
  if (!usage) return null
  return {
    input_tokens: usage.input,
    input_tokens_details: {
      cached_tokens: usage.cacheRead ?? 0,
      cache_write_tokens: usage.cacheWrite ?? 0,
    },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    total_tokens: usage.input + usage.output,
  }
}
