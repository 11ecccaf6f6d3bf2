import {
  asArray,
  asNumber,
  asObject,
  asText,
  isObject,
  type Json,
  type JsonObject,
} from '../../../../server/dialects/json.ts'
import { countBytes } from '../../read-media.ts'
import { EMPTY_TURN, type Image, type Turn } from '../../reply.ts'

/** `before`: what the interaction says that it goes on from. */
export function readInteractionTurn(body: JsonObject, before = ''): Turn {
  const config = asObject(body.generation_config) ?? {}
  const steps = stepsOf(body.input)
  const last = steps.findLast(step => step.type === 'user_input') ?? {}
  const functions = asArray(body.tools)
    .map(tool => asObject(tool) ?? {})
    .filter(tool => tool.type === 'function')
  const contents = steps.flatMap(contentsOf)
  const results = steps.filter(step => step.type === 'function_result').map(step => said(step.result))
  const texts = [before, asText(body.system_instruction) ?? '', ...contents.map(textOf), ...results]
  return {
    ...EMPTY_TURN,
    model: asText(body.model) ?? asText(body.agent) ?? '',
    stream: body.stream === true,
    text: [...texts, ...functions.map(one => `${one.name}${one.description ?? ''}`)].join(''),
    media: contents.filter(content => content.type !== 'text').length,
    lastText: contentsOf(last).map(textOf).join(''),
    lastImages: contentsOf(last).flatMap(imageOf),
    results,
    tools: functions.map(one => ({ name: asText(one.name) ?? '', schema: asObject(one.parameters) })),
    think: config.thinking_level !== undefined,
    maxTokens: asNumber(config.max_output_tokens),
    stop: asArray(config.stop_sequences).filter(one => typeof one === 'string'),
  }
}

function stepsOf(input: Json | undefined): JsonObject[] {
  if (typeof input === 'string') return [{ type: 'user_input', content: [{ type: 'text', text: input }] }]
  if (isObject(input)) return [{ type: 'user_input', content: [input] }]
  const list = asArray(input).map(one => asObject(one) ?? {})
  const areSteps = list.some(one => Array.isArray(one.content) || asText(one.type)?.startsWith('function_'))
  return areSteps ? list : [{ type: 'user_input', content: list }]
}

function contentsOf(step: JsonObject): JsonObject[] {
  return asArray(step.content).map(content => asObject(content) ?? {})
}

function textOf({ text }: JsonObject): string {
  return asText(text) ?? ''
}

function said(result: Json | undefined): string {
  if (typeof result === 'string') return result
  return Array.isArray(result)
    ? result.map(one => textOf(asObject(one) ?? {})).join('')
    : JSON.stringify(result)
}

function imageOf({ type, data, uri, mime_type }: JsonObject): Image[] {
  if (type === 'text') return []
  if (typeof uri === 'string') return [{ url: uri }]
  return [{ mediaType: asText(mime_type) ?? '', bytes: countBytes(asText(data) ?? '') }]
}
