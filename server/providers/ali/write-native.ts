import { dialects } from '../../dialects/index.ts'
import { asArray, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import { refusePart } from '../../dialects/refuse.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import type { Destination } from '../define.ts'
import { askForCall } from '../kit/edits/forced-tools.ts'
import { fitChat } from './fit-chat.ts'

/** Models that see are asked at an address of their own, where every content is a list. */
export function isMultimodal(model: string): boolean {
  return /vl|qvq|omni|ocr|^qwen3\.[5-9]-(plus|flash)/i.test(model)
}

/** What stands beside the messages in OpenAI's body, under names that the vendor's own form shares. */
const shared = [
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'temperature',
  'top_p',
  'seed',
  'stop',
  'max_tokens',
  'presence_penalty',
  'response_format',
  'enable_thinking',
  'reasoning_effort',
] as const

/** OpenAI's body in another order. How often a word may come again cannot be said. */
export function writeNative(request: NeutralRequest, to: Destination): JsonObject {
  const plain = dialects['openai-chat'].writeRequest(request, to)
  const fitted = { ...plain, ...fitChat(plain, to) }
  // It can be made to call one certain tool, not any of several.
  const body = fitted.tool_choice === 'required' ? { ...fitted, ...askForCall(fitted) } : fitted
  const parameters: JsonObject = { result_format: 'message' }
  if (to.stream) parameters.incremental_output = true
  for (const name of shared) if (body[name] !== undefined) parameters[name] = body[name]
  if (request.topK !== undefined) parameters.top_k = request.topK
  if (body.web_search_options !== undefined) parameters.enable_search = true
  if (request.reasoning?.budget !== undefined && request.reasoning.budget > 0)
    parameters.thinking_budget = request.reasoning.budget
  const write = isMultimodal(to.model) ? writeParts : writeText
  return {
    model: to.model,
    input: { messages: asArray(body.messages).map(message => write(asObject(message) ?? {})) },
    parameters,
  }
}

function writeText(message: JsonObject): JsonObject {
  const { content } = message
  if (!Array.isArray(content)) return { ...message, content: content ?? '' }
  const texts = content.map(part => asText(asObject(part)?.text) ?? refuse(part))
  return { ...message, content: texts.join('\n') }
}

function writeParts(message: JsonObject): JsonObject {
  const { content } = message
  if (Array.isArray(content)) return { ...message, content: content.map(writePart) }
  return { ...message, content: content ? [{ text: content }] : [] }
}

function writePart(part: Json): JsonObject {
  const { text, image_url } = asObject(part) ?? {}
  const url = asObject(image_url)?.url
  if (url !== undefined) return { image: url }
  return { text: asText(text) ?? refuse(part) }
}

function refuse(part: Json): never {
  const type = asText(asObject(part)?.type)
  refusePart(type === 'image_url' ? 'image' : (type ?? 'content'))
}
