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
import { camelNames } from './camel-names.ts'

export function readGeminiTurn(raw: JsonObject, path: { model?: string; stream?: boolean } = {}): Turn {
  const body = camelNames(raw)
  const contents = asArray(body.contents).map(one => asObject(one) ?? {})
  const config = asObject(body.generationConfig) ?? {}
  const declarations = asArray(body.tools)
    .flatMap(tool => asArray(asObject(tool)?.functionDeclarations))
    .map(one => asObject(one) ?? {})
  const users = contents.filter(content => content.role !== 'model')
  const last = users.at(-1)
  const spoken = users.findLast(content => textOf(content) !== '')
  const parts = contents.flatMap(partsOf)
  const toolTexts = declarations.map(one => `${one.name}${one.description ?? ''}`)
  return {
    ...EMPTY_TURN,
    model: path.model ?? '',
    stream: path.stream ?? false,
    text:
      [...partsOf(asObject(body.systemInstruction) ?? {}), ...parts].map(partText).join('') +
      toolTexts.join(''),
    media: parts.filter(part => part.inlineData !== undefined || part.fileData !== undefined).length,
    lastText: spoken === undefined ? '' : textOf(spoken),
    lastImages: partsOf(last ?? {}).flatMap(imageOf),
    results: partsOf(last ?? {}).flatMap(resultOf),
    tools: declarations.map(one => ({
      name: asText(one.name) ?? '',
      schema: asObject(one.parametersJsonSchema) ?? asObject(one.parameters),
    })),
    choice: readChoice(asObject(asObject(body.toolConfig)?.functionCallingConfig)),
    think: asksThinking(asObject(config.thinkingConfig)),
    format: readFormat(config),
    maxTokens: asNumber(config.maxOutputTokens),
    stop: asArray(config.stopSequences).filter(one => typeof one === 'string'),
    count: asNumber(config.candidateCount) ?? 1,
  }
}

function asksThinking(config: JsonObject | undefined): boolean {
  if (config === undefined) return false
  return config.thinkingBudget === undefined
    ? config.thinkingLevel !== undefined || config.includeThoughts === true
    : config.thinkingBudget !== 0
}

function partsOf(content: JsonObject): JsonObject[] {
  return asArray(content.parts).map(part => asObject(part) ?? {})
}

function textOf(content: JsonObject): string {
  return partsOf(content)
    .map(part => (part.thought === true ? '' : (asText(part.text) ?? '')))
    .join('')
}

function partText(part: JsonObject): string {
  const call = asObject(part.functionCall)
  if (call !== undefined) return `${call.name}${JSON.stringify(call.args ?? {})}`
  return resultOf(part)[0] ?? (part.thought === true ? '' : (asText(part.text) ?? ''))
}

/** The vendor's own names for what a function gave: `output`, `error`, or the object itself. */
function resultOf(part: JsonObject): string[] {
  const response = asObject(asObject(part.functionResponse)?.response)
  if (response === undefined) return []
  const said: Json = response.output ?? response.error ?? response.result ?? response
  return [typeof said === 'string' ? said : JSON.stringify(said)]
}

function imageOf(part: JsonObject): Image[] {
  const inline = asObject(part.inlineData)
  if (inline !== undefined)
    return [{ mediaType: asText(inline.mimeType) ?? '', bytes: countBytes(asText(inline.data) ?? '') }]
  const uri = asText(asObject(part.fileData)?.fileUri)
  return uri === undefined ? [] : [{ url: uri }]
}

function readChoice(config: JsonObject | undefined): Turn['choice'] {
  const names = asArray(config?.allowedFunctionNames).filter(one => typeof one === 'string')
  if (config?.mode === 'NONE') return 'none'
  if (config?.mode !== 'ANY') return 'auto'
  return names.length > 0 ? { names } : 'required'
}

function readFormat(config: JsonObject): Turn['format'] {
  if (config.responseMimeType !== 'application/json') return 'text'
  const schema = asObject(config.responseJsonSchema) ?? asObject(config.responseSchema)
  return schema === undefined ? 'json' : { schema }
}
