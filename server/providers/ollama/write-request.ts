import { type Json, type JsonObject, parseExactly } from '../../dialects/json.ts'
import { refuseNamed, refusePart } from '../../dialects/refuse.ts'
import type { Message, NeutralRequest, Part, Reasoning, Tool, ToolResultPart } from '../../dialects/spec.ts'
import type { Destination } from '../define.ts'
import { sayToolChoice } from '../kit/edits/forced-tools.ts'
import { joinTexts } from '../kit/edits/plain-messages.ts'
import { sayTextFiles } from '../kit/edits/say-text-files.ts'

export function writeRequest(asked: NeutralRequest, to: Destination): JsonObject {
  const request = sayToolChoice(asked)
  const tools = request.tools.map(writeTool)
  const options = writeOptions(request)
  return {
    model: to.model,
    messages: writeMessages(sayTextFiles(request)),
    // It streams unless it is told not to.
    stream: to.stream,
    ...(tools.length > 0 && { tools }),
    ...writeFormat(request),
    ...writeThinking(request.reasoning, to.model),
    ...(Object.keys(options).length > 0 && { options }),
  }
}

function writeOptions(request: NeutralRequest): JsonObject {
  const { temperature, topP, topK, seed, stop, maxOutput, frequencyPenalty, presencePenalty } = request
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(topK !== undefined && { top_k: topK }),
    ...(seed !== undefined && { seed }),
    ...(stop !== undefined && { stop: [...stop] }),
    ...(maxOutput !== undefined && { num_predict: maxOutput }),
    ...(frequencyPenalty !== undefined && { frequency_penalty: frequencyPenalty }),
    ...(presencePenalty !== undefined && { presence_penalty: presencePenalty }),
  }
}

function writeFormat({ format }: NeutralRequest): JsonObject {
  if (!format) return {}
  return { format: format.type === 'json' ? 'json' : format.schema }
}

const levels = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
} as const

/**
 * Models without thoughts refuse even the wish for them, so nothing is said unless it was asked. How much is
 * understood by few of them: to others a level is a 400 or nothing.
 */
function writeThinking(reasoning: Reasoning | undefined, model: string): JsonObject {
  if (!reasoning) return {}
  const { effort, budget } = reasoning
  if (effort === 'none' || budget === 0) return { think: false }
  if (cannotThink(model)) return {}
  if (effort === undefined) return budget === undefined ? {} : { think: true }
  if (knowsMost(model)) return { think: effort === 'max' || effort === 'xhigh' ? 'max' : levels[effort] }
  return { think: /gpt-oss/i.test(model) ? levels[effort] : true }
}

const families =
  /^(codellama|llama|tinyllama|llava|mistral|mixtral|phi|gemma[23]?n?($|-)|qwen(2|2\.5)?($|-)|starcoder|command-r|smollm)/

/** Of the models that many people have. */
function cannotThink(model: string): boolean {
  const [name = ''] = model
    .slice(model.lastIndexOf('/') + 1)
    .toLowerCase()
    .split(':', 1)
  return families.test(name) && !name.includes('reasoning')
}

function knowsMost(model: string): boolean {
  return /(^|\/)qwen(3\.([89]|\d\d)|[4-9])/i.test(model)
}

function writeTool(tool: Tool): JsonObject {
  if (tool.type !== 'function') refuseNamed('web_search')
  const { name, description, schema } = tool
  const parameters = schema ?? { type: 'object', properties: {} }
  return {
    type: 'function',
    function: { name, ...(description !== undefined && { description }), parameters },
  }
}

function writeMessages(request: NeutralRequest): Json[] {
  const names = namesOfCalls(request.messages)
  const system = joinTexts(request.system)
  const turns = request.messages.flatMap(message => writeMessage(message, names))
  return system === '' ? turns : [{ role: 'system', content: system }, ...turns]
}

/** Results are told apart by the name of their tool. */
function namesOfCalls(messages: readonly Message[]): ReadonlyMap<string, string> {
  const calls = messages.flatMap(({ parts }) => parts.filter(part => part.type === 'tool-call'))
  return new Map(calls.map(({ id, name }) => [id, name]))
}

function writeMessage({ role, parts }: Message, names: ReadonlyMap<string, string>): JsonObject[] {
  const results = parts.flatMap(part => (part.type === 'tool-result' ? writeResult(part, names) : []))
  const said = parts.filter(part => part.type !== 'tool-result')
  if (said.length === 0 && results.length > 0) return results
  const images = said.flatMap(writeImage)
  const thinking = joinThoughts(said)
  const calls = said.flatMap(writeCall)
  return [
    ...results,
    {
      role,
      content: said.flatMap(part => (part.type === 'text' ? part.text : [])).join('\n'),
      ...(thinking !== '' && { thinking }),
      ...(images.length > 0 && { images }),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ]
}

function joinThoughts(parts: readonly Part[]): string {
  return parts.flatMap(part => (part.type === 'thinking' ? part.text : [])).join('')
}

function writeCall(part: Part): JsonObject[] {
  if (part.type !== 'tool-call') return []
  return [{ function: { name: part.name, arguments: parseExactly(part.input) ?? {} } }]
}

function writeImage(part: Part): string[] {
  if (part.type === 'audio' || part.type === 'file') refusePart(part.type)
  if (part.type !== 'image') return []
  if (!('data' in part.source)) refuseNamed('image_url')
  return [part.source.data]
}

function writeResult(part: ToolResultPart, names: ReadonlyMap<string, string>): JsonObject[] {
  const images = part.content.flatMap(writeImage)
  const content = part.content.flatMap(one => (one.type === 'text' ? one.text : [])).join('\n')
  const tool_name = part.name ?? names.get(part.callId)
  return [{ role: 'tool', content, ...(tool_name && { tool_name }), ...(images.length > 0 && { images }) }]
}
