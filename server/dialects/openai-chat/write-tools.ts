import { asObject, asText, type JsonObject } from '../json.ts'
import type { Format, NeutralRequest, Tool, ToolChoice } from '../spec.ts'
import { isStrictSchema } from '../strict-schema.ts'

/** Everything about tools. A choice among none is left out: upstreams answer it with an error. */
export function writeTools(request: NeutralRequest): JsonObject {
  const tools = request.tools.filter(tool => tool.type === 'function').map(writeFunction)
  const search = request.tools.find(tool => tool.type === 'web-search')
  return {
    ...(tools.length === 0
      ? {}
      : {
          tools,
          tool_choice: request.toolChoice && writeToolChoice(request.toolChoice),
          parallel_tool_calls: request.parallelTools,
        }),
    ...(search === undefined ? {} : { web_search_options: writeSearch(search) }),
  }
}

/** Cache marks are dropped. Not every upstream takes a function without parameters. */
function writeFunction(tool: Extract<Tool, { type: 'function' }>): JsonObject {
  return {
    type: 'function',
    function: {
      name: tool.name,
      description: tool.description,
      parameters: tool.schema ?? { type: 'object', properties: {} },
      strict: writeStrict(tool.strict, tool.schema),
    },
  }
}

function writeToolChoice(choice: ToolChoice): string | JsonObject {
  if (choice.type !== 'named') return choice.type
  const tools = choice.names.map(name => ({ type: 'function', function: { name } }))
  const [only] = tools
  if (tools.length === 1 && only !== undefined && choice.mode === 'required') return only
  return { type: 'allowed_tools', allowed_tools: { mode: choice.mode, tools } }
}

/** From other dialects: how much to search and where the user is; sites and limits have no place here. */
function writeSearch(search: Extract<Tool, { type: 'web-search' }>): JsonObject {
  if (search.by === 'openai-chat') {
    const { search_context_size, user_location } = search.settings
    return { search_context_size, user_location }
  }
  const size = asText(search.settings.search_context_size)
  const location = asObject(search.settings.user_location)
  return {
    search_context_size: size,
    user_location: location && { type: 'approximate', approximate: writePlace(location) },
  }
}

function writePlace(location: JsonObject): JsonObject {
  const { country, city, region, timezone } = location
  return { country, city, region, timezone }
}

export function writeFormat(format: Format): JsonObject {
  if (format.type === 'json') return { type: 'json_object' }
  const { name, description, schema } = format
  const strict = writeStrict(format.strict, schema)
  return { type: 'json_schema', json_schema: { name, description, schema, strict } }
}

/** A schema that cannot be kept to strictly is a 400, so it is aimed at instead. */
function writeStrict(strict: boolean | undefined, schema: JsonObject | undefined): boolean | undefined {
  return strict && isStrictSchema(schema ?? {})
}
