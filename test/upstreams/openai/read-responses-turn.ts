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
import { EMPTY_TURN, type Image, type Turn } from '../reply.ts'

export function readResponsesTurn(body: JsonObject): Turn {
  const items = readItems(body.input)
  const tools = asArray(body.tools)
    .map(one => asObject(one) ?? {})
    .filter(tool => tool.type === 'function')
  const lastUser = items.findLast(item => item.role === 'user')
  const lastSaid = items.findLastIndex(item => item.role === 'assistant' || item.type === 'function_call')
  const results = items.slice(lastSaid + 1).filter(item => item.type === 'function_call_output')
  const instructions = typeof body.instructions === 'string' ? body.instructions : ''
  const toolTexts = tools.map(tool => `${tool.name}${tool.description ?? ''}`)
  const parts = items.flatMap(item => asArray(item.content))
  return {
    ...EMPTY_TURN,
    model: asText(body.model) ?? '',
    stream: body.stream === true,
    text: [instructions, ...items.map(itemText), ...toolTexts].join(''),
    media: parts.filter(part => ['input_image', 'input_file'].includes(asText(asObject(part)?.type) ?? ''))
      .length,
    lastText: textOf(lastUser?.content),
    lastImages: imagesOf(lastUser?.content),
    results: results.map(item => textOf(item.output)),
    tools: tools.map(tool => ({ name: asText(tool.name) ?? '', schema: asObject(tool.parameters) })),
    choice: readChoice(body.tool_choice),
    parallel: asFlag(body.parallel_tool_calls) ?? true,
    think:
      typeof asObject(body.reasoning)?.effort === 'string' && asObject(body.reasoning)?.effort !== 'none',
    format: readFormat(asObject(asObject(body.text)?.format)),
    maxTokens: asNumber(body.max_output_tokens),
    cacheMarks: {
      minutes: parts.filter(part => asObject(part)?.prompt_cache_breakpoint !== undefined).length,
      hour: 0,
    },
  }
}

function readItems(input: Json | undefined): JsonObject[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  return asArray(input).map(one => asObject(one) ?? {})
}

function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content
  return asArray(content)
    .map(part => asText(asObject(part)?.text) ?? '')
    .join('')
}

function itemText(item: JsonObject): string {
  if (item.type === 'function_call') return `${item.name}${item.arguments}`
  if (item.type === 'function_call_output') return textOf(item.output)
  return textOf(item.content)
}

function imagesOf(content: Json | undefined): Image[] {
  return asArray(content).flatMap(part => {
    const url = asText(asObject(part)?.image_url)
    return url === undefined ? [] : [readDataUrl(url)]
  })
}

function readChoice(choice: Json | undefined): Turn['choice'] {
  if (choice === 'none' || choice === 'required') return choice
  const named = asObject(choice)
  if (named?.type === 'allowed_tools') {
    const names = asArray(named.tools).map(tool => asText(asObject(tool)?.name) ?? '')
    return named.mode === 'required' ? { names } : 'auto'
  }
  const name = asText(named?.name)
  return name === undefined ? 'auto' : { names: [name] }
}

function readFormat(format: JsonObject | undefined): Turn['format'] {
  if (format?.type === 'json_object') return 'json'
  return format?.type === 'json_schema' ? { schema: asObject(format.schema) ?? {} } : 'text'
}
