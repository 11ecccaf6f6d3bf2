import { asArray, asObject, asText, isObject, type JsonObject } from '../../../../server/dialects/json.ts'
import { bracketPath, fields, findUnknown, type Shape } from '../../shape.ts'
import type { Call } from '../../upstream.ts'
import { refuseGemini, refuseUnknown } from '../fail.ts'
import { interactionOf } from './stored-interactions.ts'

const CONTENT: Shape = fields('type text data uri mime_type resolution annotations channels sample_rate name')
const STEP: Shape = {
  ...fields('type arguments id name call_id is_error result signature server_name search_type'),
  ...fields('text data uri mime_type resolution annotations'),
  content: [CONTENT],
  summary: [CONTENT],
}
const TOOL: Shape = {
  ...fields('type name description parameters url headers allowed_tools search_types'),
  ...fields('file_search_store_names metadata_filter top_k environment retrieval_types'),
}
const KNOWN: Record<string, Shape> = {
  ...fields('model agent agent_config background cached_content continuation_token labels'),
  ...fields('previous_interaction_id response_format response_mime_type response_modalities safety_settings'),
  ...fields('service_tier store stream system_instruction webhook_config'),
  input: [STEP],
  tools: [TOOL],
  generation_config: fields(
    `image_config max_output_tokens seed speech_config stop_sequences temperature thinking_level
    thinking_summaries tool_choice top_p transcription_config video_config`,
  ),
}
const contents: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'video', 'document'])
const steps: ReadonlySet<unknown> = new Set([
  ...['user_input', 'model_output', 'thought', 'function_call', 'function_result'],
])
const tools: ReadonlySet<unknown> = new Set([
  ...[
    'function',
    'google_search',
    'google_maps',
    'url_context',
    'code_execution',
    'file_search',
    'mcp_server',
  ],
])

export function checkInteraction(call: Call): void {
  const { body, options } = call
  const unknown = findUnknown(body, { ...KNOWN, ...fields((options.accept ?? []).join(' ')) })
  if (unknown) refuseUnknown(String(unknown.at(-1)), bracketPath(unknown.slice(0, -1)))
  if ((body.model === undefined) === (body.agent === undefined))
    refuseGemini('Exactly one of model or agent must be set.')
  const { model } = body
  if (model !== undefined && (typeof model !== 'string' || model === '' || model.includes('/')))
    refuseGemini('Invalid model.')
  if (body.agent !== undefined && body.background !== true)
    refuseGemini('Agent interactions require background to be true.')
  if (body.background === true && body.store === false)
    refuseGemini('Background interactions require store to be true.')
  for (const field of ['background', 'store', 'stream'])
    if (body[field] !== undefined && typeof body[field] !== 'boolean') refuseGemini(`Invalid ${field}.`)
  if (typeof (body.system_instruction ?? '') !== 'string') refuseGemini('Invalid system_instruction.')
  const before = asText(body.previous_interaction_id)
  if (before !== undefined) interactionOf(call, before)
  checkInput(body)
  for (const tool of asArray(body.tools))
    if (!tools.has(asObject(tool)?.type)) refuseGemini('Unknown tool type.')
}

/** A text, a content, or a list either of contents or of steps. */
function checkInput({ input, continuation_token }: JsonObject): void {
  if (input === undefined && continuation_token !== undefined) return
  if (typeof input === 'string' && input !== '') return
  if (isObject(input) && contents.has(input.type)) return
  if (!Array.isArray(input) || input.length === 0) refuseGemini('input is required.')
  const types = input.map(one => asObject(one)?.type)
  if (!types.every(type => contents.has(type)) && !types.every(type => steps.has(type)))
    refuseGemini('input must be contents or steps.')
}
