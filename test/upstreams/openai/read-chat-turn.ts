import {
  asArray,
  asFlag,
  asNumber,
  asObject,
  asText,
  type Json,
  type JsonObject,
} from '../../../server/dialects/json.ts'
import { readDataUrl } from '../read-media.ts'
import { EMPTY_TURN, type Image, type ToolOffer, type Turn } from '../reply.ts'

/** What a chat body asks for. `thinks` says whether it asks for thinking: vendors differ in that alone. */
export function readChatTurn(body: JsonObject, thinks: (body: JsonObject) => boolean = asksEffort): Turn {
  const messages = asArray(body.messages).map(one => asObject(one) ?? {})
  const tools = asArray(body.tools).map(readTool)
  const lastUser = messages.findLast(message => message.role === 'user')
  const lastAssistant = messages.findLastIndex(message => message.role === 'assistant')
  const results = messages.slice(lastAssistant + 1).filter(message => message.role === 'tool')
  const texts = [...messages.map(messageText), ...asArray(body.tools).map(toolText)]
  const stop =
    typeof body.stop === 'string' ? [body.stop] : asArray(body.stop).filter(one => typeof one === 'string')
  return {
    ...EMPTY_TURN,
    model: asText(body.model) ?? '',
    stream: body.stream === true,
    text: texts.join(''),
    media: messages.flatMap(message => mediaOf(message.content)).length,
    lastText: textOf(lastUser?.content),
    lastImages: imagesOf(lastUser?.content),
    results: results.map(message => textOf(message.content)),
    tools,
    choice: readChoice(body.tool_choice) ?? obey(messages),
    parallel: asFlag(body.parallel_tool_calls) ?? true,
    think: thinks(body),
    format: readFormat(asObject(body.response_format)),
    maxTokens: asNumber(body.max_completion_tokens) ?? asNumber(body.max_tokens),
    stop,
    count: asNumber(body.n) ?? 1,
    cacheMarks: { minutes: countBreakpoints(messages), hour: 0 },
  }
}

function asksEffort(body: JsonObject): boolean {
  return typeof body.reasoning_effort === 'string' && body.reasoning_effort !== 'none'
}

function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content
  return asArray(content)
    .map(part => asText(asObject(part)?.text) ?? '')
    .join('')
}

function messageText(message: JsonObject): string {
  const calls = asArray(message.tool_calls).map(call => asObject(asObject(call)?.function))
  return textOf(message.content) + calls.map(call => `${call?.name}${call?.arguments}`).join('')
}

function toolText(tool: Json): string {
  const fn = asObject(asObject(tool)?.function)
  return `${fn?.name ?? ''}${fn?.description ?? ''}`
}

function mediaOf(content: Json | undefined): readonly Json[] {
  return asArray(content).filter(part => {
    const type = asText(asObject(part)?.type)
    return type === 'image_url' || type === 'file' || type === 'input_audio'
  })
}

function imagesOf(content: Json | undefined): Image[] {
  return mediaOf(content).flatMap(part => {
    const image = asObject(part)?.image_url
    const url = asText(asObject(image)?.url) ?? asText(image)
    return url === undefined ? [] : [readDataUrl(url)]
  })
}

function readTool(tool: Json): ToolOffer {
  const fn = asObject(asObject(tool)?.function)
  return { name: asText(fn?.name) ?? '', schema: asObject(fn?.parameters) }
}

/** A model that is told to call does. */
export function obey(messages: readonly JsonObject[]): Turn['choice'] {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => textOf(content))
  const [order, name] = /You must call (?:the tool `(\w+)`|one of the tools) now/.exec(system.join()) ?? []
  if (order === undefined) return 'auto'
  return name === undefined ? 'required' : { names: [name] }
}

function readChoice(choice: Json | undefined): Turn['choice'] | undefined {
  if (choice === 'none' || choice === 'required') return choice
  if (choice === 'any') return 'required'
  const named = asObject(choice)
  const allowed = asObject(named?.allowed_tools)
  if (allowed !== undefined) {
    const names = asArray(allowed.tools).map(tool => asText(asObject(asObject(tool)?.function)?.name) ?? '')
    return allowed.mode === 'required' ? { names } : undefined
  }
  const name = asText(asObject(named?.function)?.name)
  return name === undefined ? undefined : { names: [name] }
}

function readFormat(format: JsonObject | undefined): Turn['format'] {
  if (format?.type === 'json_object') return 'json'
  if (format?.type !== 'json_schema') return 'text'
  return { schema: asObject(asObject(format.json_schema)?.schema) ?? {} }
}

function countBreakpoints(messages: readonly JsonObject[]): number {
  const parts = messages.flatMap(message => asArray(message.content))
  return parts.filter(part => asObject(part)?.prompt_cache_breakpoint !== undefined).length
}
