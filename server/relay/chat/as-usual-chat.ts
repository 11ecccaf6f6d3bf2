import { dialects } from '../../dialects/index.ts'
import { asArray, asObject, asText, type Json, type JsonObject, parseObject } from '../../dialects/json.ts'
import { type JsonBody, readExactly } from '../request/read-body.ts'
import { usualMessages } from './usual-messages.ts'

/**
 * Cursor chooses its words by the name of the model and not by the address: at that of chat it asks for GPT in the words
 * of Responses, and names tools and their results as Anthropic does for Claude. An answer it takes as chat has it.
 */
export function asUsualChat(body: JsonBody): JsonBody {
  const { messages, input, tools } = body.json
  if (messages === undefined && input !== undefined) return writeBody(fromResponses(readExactly(body).json))
  if (!Array.isArray(tools) || !tools.some(isBare)) return body
  const { json } = readExactly(body)
  const usual: JsonObject = { ...json, tools: tools.map(usualTool), messages: usualMessages(json.messages) }
  const choice = usualChoice(json.tool_choice)
  if (choice !== undefined) usual.tool_choice = choice
  return writeBody(usual)
}

function writeBody(written: JsonObject): JsonBody {
  const text = JSON.stringify(written)
  return { text, json: parseObject(text) ?? written }
}

function fromResponses(json: JsonObject): JsonObject {
  const request = dialects['openai-responses'].readRequest(json, {})
  const { model, stream } = request
  const { stream_options: _, ...written } = dialects['openai-chat'].writeRequest(request, { model, stream })
  const customs = new Map(
    asArray(json.tools)
      .filter(isCustom)
      .map(tool => [asObject(tool)?.name, tool]),
  )
  const tools = asArray(written.tools).map(tool => {
    const custom = customs.get(asObject(asObject(tool)?.function)?.name)
    return custom === undefined ? tool : usualTool(custom)
  })
  return {
    ...written,
    ...(tools.length > 0 && { tools }),
    ...(json.stream_options !== undefined && { stream_options: json.stream_options }),
  }
}

/** Whether a tool has its name beside its type, or no type at all. */
function isBare(value: Json): boolean {
  const tool = asObject(value)
  return typeof tool?.name === 'string' && !tool.function && !tool.custom
}

function isCustom(value: Json): boolean {
  return asObject(value)?.type === 'custom' && isBare(value)
}

function usualTool(value: Json): Json {
  const tool = asObject(value)
  if (!tool || !isBare(value)) return value
  const { type = 'function', name, description, parameters, input_schema, strict, format, ...rest } = tool
  if (type === 'custom' && !input_schema)
    return { ...rest, type, custom: { name, description, format: usualFormat(format) } }
  // One of a vendor's own has a type of its own.
  if (type !== 'function' && type !== 'custom') return value
  const called: JsonObject = { name, description, parameters: parameters ?? input_schema, strict }
  return { ...rest, type: 'function', function: called }
}

/** Chat has what is asked of a text in a field of its own. */
function usualFormat(value: Json | undefined): Json | undefined {
  const format = asObject(value)
  if (format?.type !== 'grammar' || format.grammar) return value
  const { type, ...grammar } = format
  return { type, grammar }
}

function usualChoice(value: Json | undefined): Json | undefined {
  const choice = asObject(value)
  const name = asText(choice?.name)
  switch (choice?.type) {
    case 'auto':
    case 'none':
      return choice.type
    case 'any':
      return 'required'
    case 'tool':
    case 'function':
      return name === undefined ? undefined : { type: 'function', function: { name } }
    case 'custom':
      return name === undefined ? undefined : { type: 'custom', custom: { name } }
    default:
      return undefined
  }
}
