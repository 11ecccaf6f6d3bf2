import { asArray, asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { bracketPath, fields, findUnknown, type Shape } from '../shape.ts'
import type { Call } from '../upstream.ts'
import { checkBackground } from './background-jobs.ts'
import { checkEffort, checkSampling } from './check-chat.ts'
import {
  checkModel,
  checkName,
  checkRange,
  checkStrictSchema,
  checkTypes,
  isReasoningModel,
} from './check-fields.ts'
import { checkInputItems } from './check-input-items.ts'
import { refuseOpenai } from './fail.ts'

const PARTS: Record<string, Shape> = {
  input_text: fields('type text prompt_cache_breakpoint'),
  input_image: fields('type image_url file_id detail prompt_cache_breakpoint'),
  input_file: fields('type file_data file_url file_id filename detail prompt_cache_breakpoint'),
  output_text: fields('type text annotations logprobs'),
  refusal: fields('type refusal'),
}
const CONTENT: Shape = [part => ({ shape: PARTS[asText(part.type) ?? ''] ?? true })]
const ITEMS: Record<string, Shape> = {
  message: { ...fields('type role id status phase'), content: CONTENT },
  function_call: fields('type id call_id name arguments status namespace'),
  function_call_output: { ...fields('type id call_id status'), output: CONTENT },
  reasoning: {
    ...fields('type id encrypted_content status'),
    summary: [fields('type text')],
    content: [fields('type text')],
  },
  item_reference: fields('type id'),
}

const KNOWN: Record<string, Shape> = {
  ...fields(`background client_metadata context_management conversation include instructions max_output_tokens max_tool_calls
    metadata model parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options
    prompt_cache_retention safety_identifier service_tier store stream temperature tool_choice top_logprobs
    top_p truncation user`),
  input: [item => ({ shape: ITEMS[asText(item.type) ?? 'message'] ?? true })],
  reasoning: fields('effort summary generate_summary context'),
  stream_options: fields('include_obfuscation'),
  text: { verbosity: true, format: fields('type name schema strict description') },
  tools: [
    tool => ({
      shape:
        tool.type === 'function' ? fields('type name description parameters strict defer_loading') : true,
    }),
  ],
}

const INCLUDES = [
  'file_search_call.results',
  'web_search_call.results',
  'web_search_call.action.sources',
  'message.input_image.image_url',
  'computer_call_output.output.image_url',
  'code_interpreter_call.outputs',
  'reasoning.encrypted_content',
  'message.output_text.logprobs',
]

export function checkResponses(call: Call): void {
  const { body } = call
  const accepted = call.options.accept ?? []
  const unknown = findUnknown(body, KNOWN)
  if (unknown !== undefined && !accepted.includes(String(unknown.at(-1))))
    refuseOpenai(`Unknown parameter: '${bracketPath(unknown)}'.`, bracketPath(unknown), 'unknown_parameter')
  const model = checkModel(call)
  checkResponsesTypes(body)
  if (isReasoningModel(model)) {
    const effort = asObject(body.reasoning)?.effort
    checkEffort(model, effort, 'reasoning.effort')
    if (effort !== 'none') checkSampling(body)
  } else if (body.reasoning && asObject(body.reasoning)?.effort) {
    refuseOpenai(
      "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
      'reasoning.effort',
      'unsupported_parameter',
    )
  }
  checkFormat(body)
  checkTools(body)
  checkInputItems(call)
  checkBackground(call)
}

function checkResponsesTypes(body: JsonObject): void {
  if (body.input === undefined && body.prompt === undefined && body.conversation === undefined)
    refuseOpenai("Missing required parameter: 'input'.", 'input', 'missing_required_parameter')
  checkTypes(body, {
    input: ['string', 'array'],
    instructions: ['string', 'array'],
    stream: 'boolean',
    store: 'boolean',
    background: 'boolean',
    temperature: 'number',
    top_p: 'number',
    max_output_tokens: 'integer',
    tools: 'array',
    tool_choice: ['string', 'object'],
    include: 'array',
    text: 'object',
    reasoning: 'object',
    metadata: 'object',
    parallel_tool_calls: 'boolean',
    previous_response_id: 'string',
  })
  checkRange(body, 'temperature', 0, 2)
  checkRange(body, 'top_p', 0, 1)
  checkRange(body, 'max_output_tokens', 16, Number.MAX_SAFE_INTEGER)
  for (const [at, one] of asArray(body.include).entries()) {
    if (typeof one !== 'string' || !INCLUDES.includes(one))
      refuseOpenai(`Invalid value: '${one}'.`, `include[${at}]`, 'invalid_value')
  }
}

function checkFormat(body: JsonObject): void {
  const format = asObject(asObject(body.text)?.format)
  if (format?.type === 'json_schema') {
    checkName(format.name, 'text.format.name')
    checkStrictSchema(format.schema, format.strict, `response_format '${format.name}'`, 'text.format.schema')
  }
  if (format?.type === 'json_object' && !/json/i.test(JSON.stringify(body.input)))
    refuseOpenai(
      "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
      'input',
    )
}

function checkTools(body: JsonObject): void {
  for (const [at, one] of asArray(body.tools).entries()) {
    const tool = asObject(one) ?? {}
    if (typeof tool.type !== 'string')
      refuseOpenai(
        `Missing required parameter: 'tools[${at}].type'.`,
        `tools[${at}].type`,
        'missing_required_parameter',
      )
    if (tool.type !== 'function') continue
    checkName(tool.name, `tools[${at}].name`)
    checkStrictSchema(tool.parameters, tool.strict, `function '${tool.name}'`, `tools[${at}].parameters`)
  }
}
