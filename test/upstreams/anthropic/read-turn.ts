import {
  asArray,
  asNumber,
  asObject,
  asText,
  type Json,
  type JsonObject,
} from '../../../server/dialects/json.ts'
import { countBytes } from '../read-media.ts'
import { EMPTY_TURN, type Image, type Turn } from '../reply.ts'
import { thinks } from './check-model-rules.ts'
import { rulesOf } from './model-rules.ts'

export function readAnthropicTurn(body: JsonObject): Turn {
  const model = asText(body.model) ?? ''
  const messages = asArray(body.messages).map(one => asObject(one) ?? {})
  const blocks = messages.flatMap(message => blocksOf(message.content))
  const tools = asArray(body.tools).map(one => asObject(one) ?? {})
  const own = tools.filter(tool => tool.type === undefined || tool.type === 'custom')
  const lastUser = messages.findLast(message => message.role === 'user')
  const last = blocksOf(lastUser?.content)
  const system = blocksOf(body.system)
  const choice = asObject(body.tool_choice)
  const spoken = messages.findLast(
    message => message.role === 'user' && textOf(blocksOf(message.content)) !== '',
  )
  const toolTexts = tools.map(tool => `${tool.name}${tool.description ?? ''}`)
  return {
    ...EMPTY_TURN,
    model,
    stream: body.stream === true,
    text: [...system, ...blocks].map(blockText).join('') + toolTexts.join(''),
    media: blocks.flatMap(withInner).filter(block => block.type === 'image' || block.type === 'document')
      .length,
    lastText: textOf(blocksOf(spoken?.content)),
    lastImages: last.flatMap(imageOf),
    results: last.filter(block => block.type === 'tool_result').map(block => textOf(blocksOf(block.content))),
    tools: own.map(tool => ({ name: asText(tool.name) ?? '', schema: asObject(tool.input_schema) })),
    choice: readChoice(choice),
    parallel: choice?.disable_parallel_tool_use !== true,
    think: thinks(body, rulesOf(model)),
    format: readFormat(asObject(asObject(body.output_config)?.format)),
    maxTokens: asNumber(body.max_tokens),
    stop: asArray(body.stop_sequences).filter(one => typeof one === 'string'),
    cacheMarks: countMarks([body, ...tools, ...system, ...blocks.flatMap(withInner)]),
  }
}

function blocksOf(content: Json | undefined): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return asArray(content).map(one => asObject(one) ?? {})
}

function withInner(block: JsonObject): JsonObject[] {
  return block.type === 'tool_result' ? [block, ...blocksOf(block.content)] : [block]
}

function textOf(blocks: readonly JsonObject[]): string {
  return blocks.map(block => (block.type === 'text' ? (asText(block.text) ?? '') : '')).join('')
}

function blockText(block: JsonObject): string {
  if (block.type === 'tool_use') return `${block.name}${JSON.stringify(block.input)}`
  if (block.type === 'tool_result') return textOf(blocksOf(block.content))
  return asText(block.text) ?? ''
}

function imageOf(block: JsonObject): Image[] {
  if (block.type !== 'image') return []
  const source = asObject(block.source)
  if (source?.type === 'url') return [{ url: asText(source.url) ?? '' }]
  return [{ mediaType: asText(source?.media_type) ?? '', bytes: countBytes(asText(source?.data) ?? '') }]
}

function readChoice(choice: JsonObject | undefined): Turn['choice'] {
  if (choice?.type === 'none') return 'none'
  if (choice?.type === 'any') return 'required'
  return choice?.type === 'tool' ? { names: [asText(choice.name) ?? ''] } : 'auto'
}

function readFormat(format: JsonObject | undefined): Turn['format'] {
  return format === undefined ? 'text' : { schema: asObject(format.schema) ?? {} }
}

function countMarks(marked: readonly JsonObject[]): Turn['cacheMarks'] {
  const marks = marked.map(one => asObject(one.cache_control)).filter(mark => mark !== undefined)
  const hour = marks.filter(mark => mark.ttl === '1h').length
  return { minutes: marks.length - hour, hour }
}
