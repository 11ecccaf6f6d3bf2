import { dialects } from '../../dialects/index.ts'
import { asArray, asObject, type JsonObject } from '../../dialects/json.ts'
import { refusePart } from '../../dialects/refuse.ts'
import type { Message, NeutralRequest, Part, ToolResultPart } from '../../dialects/spec.ts'
import type { Destination } from '../define.ts'
import { joinTexts } from '../kit/edits/plain-messages.ts'
import { sayTextFiles } from '../kit/edits/say-text-files.ts'
import { nameModel } from './name-model.ts'
import { writeTools } from './write-tools.ts'

const LEAST_OUTPUT = 16
/** Claude has to be told. */
const CLAUDES_OUTPUT = 8192
const ONLY_JSON = 'Answer with one valid JSON object and nothing else: no prose around it, no code fence.'

/**
 * Nearly the body of OpenAI's Responses; any field that it does not know is a 400. Dropped: penalties, seed,
 * top_k, verbosity, tiers, cache keys, and what was thought before, of which it knows nothing.
 */
export function writeRequest(request: NeutralRequest, to: Destination): JsonObject {
  const { fields, searches } = nameModel(to.model)
  const { reasoning_effort: effort, response_format } = dialects['openai-chat'].writeRequest(request, to)
  const { temperature, topP, format } = request
  const most = request.maxOutput ?? (to.model.startsWith('anthropic/') ? CLAUDES_OUTPUT : undefined)
  return {
    ...fields,
    input: writeInput(sayTextFiles(request)),
    stream: to.stream,
    store: false,
    ...writeTools(request, searches),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(most !== undefined && { max_output_tokens: Math.max(LEAST_OUTPUT, most) }),
    ...(effort !== undefined && effort !== 'none' && { reasoning: { effort } }),
    ...(format?.type === 'schema' && { response_format: leaveOutAbsent(response_format) }),
  }
}

function leaveOutAbsent(format: unknown): JsonObject {
  const { type, json_schema } = asObject(format) ?? {}
  const named = Object.entries(asObject(json_schema) ?? {}).filter(([, value]) => value !== undefined)
  return { type, json_schema: Object.fromEntries(named) }
}

/** The system's words are a message: as `instructions` they would take the place of the vendor's own. */
function writeInput(request: NeutralRequest): JsonObject[] {
  const told = joinTexts(request.system)
  const system = request.format?.type === 'json' ? [told, ONLY_JSON].filter(Boolean).join('\n') : told
  const turns = request.messages.flatMap(writeMessage)
  return system === '' ? turns : [{ type: 'message', role: 'system', content: system }, ...turns]
}

function writeMessage({ role, parts }: Message): JsonObject[] {
  const results = parts.flatMap(part => (part.type === 'tool-result' ? [writeResult(part)] : []))
  const calls = parts.flatMap(part =>
    part.type === 'tool-call'
      ? [{ type: 'function_call', call_id: part.id, name: part.name, arguments: part.input || '{}' }]
      : [],
  )
  const content = writeContent(parts)
  const said = asArray(content).length > 0 || (typeof content === 'string' && content !== '')
  return [...results, ...(said ? [{ type: 'message', role, content }] : []), ...calls]
}

function writeContent(parts: readonly Part[]): string | JsonObject[] {
  const said = parts.flatMap(writePart)
  if (said.some(({ type }) => type !== 'input_text')) return said
  return said.map(({ text }) => text).join('\n')
}

function writePart(part: Part): JsonObject[] {
  if (part.type === 'text') return part.text === '' ? [] : [{ type: 'input_text', text: part.text }]
  if (part.type === 'thinking' || part.type === 'tool-call' || part.type === 'tool-result') return []
  if (part.type !== 'image' || 'fileId' in part.source) refusePart(part.type)
  const { source } = part
  const image_url = 'data' in source ? `data:${source.mediaType};base64,${source.data}` : source.url
  return [{ type: 'input_image', image_url }]
}

function writeResult({ callId, content }: ToolResultPart): JsonObject {
  const texts = content.map(part => {
    if (part.type !== 'text') refusePart(part.type)
    return part.text
  })
  return { type: 'function_call_output', call_id: callId, output: texts.join('\n') }
}
