import { asArray, asText, isObject, type Json, type JsonObject } from '../../dialects/json.ts'

/** What a client adds to a response that is being made: it is said when that one is done. */
export interface Steer {
  readonly id: string
  readonly responseId: string
  readonly input: Json
  /** Letters of the message that it came with. */
  readonly length: number
}

export type SteerFailure =
  | 'response_not_found'
  | 'invalid_input'
  | 'steering_not_supported'
  | 'too_many_pending_steers'
  | 'response_already_completed'
  | 'response_not_active'
  | 'successor_creation_failed'

/** In the vendor's words; they are for who writes a client, and name no more than the code does. */
const words: Readonly<Record<SteerFailure, string>> = {
  response_not_found: 'The response to steer is not available on this connection.',
  invalid_input: 'Steering takes a text, or messages of the user with text, images and files.',
  steering_not_supported: 'A response with automatic compaction cannot be steered.',
  too_many_pending_steers: 'Too much steering input is pending for this response.',
  response_already_completed: 'The response is complete and takes no more steering input.',
  response_not_active: 'The response takes no more steering input.',
  successor_creation_failed: 'The successor response could not be created.',
}

const known: ReadonlySet<string> = new Set(['type', 'previous_response_id', 'input'])
const ofMessage: ReadonlySet<string> = new Set(['type', 'role', 'content'])
const parts: ReadonlySet<unknown> = new Set(['input_text', 'input_image', 'input_file'])

/** Whether a `response.steer` says what the vendor takes. */
export function isSteer(message: JsonObject): boolean {
  const { input, previous_response_id } = message
  if (!asText(previous_response_id) || !Object.keys(message).every(name => known.has(name))) return false
  if (typeof input === 'string') return input !== ''
  return Array.isArray(input) && input.length > 0 && input.every(isUserMessage)
}

function isUserMessage(item: Json): boolean {
  if (!isObject(item) || !Object.keys(item).every(name => ofMessage.has(name))) return false
  if (item.role !== 'user' || (item.type ?? 'message') !== 'message') return false
  const { content } = item
  if (typeof content === 'string') return content !== ''
  return Array.isArray(content) && content.every(part => isObject(part) && parts.has(part.type))
}

/**
 * What was added, in its order, before what the next turn says itself; but behind the results of tools, since most
 * vendors take nothing between a call and its result.
 */
export function withSteers(steers: readonly Steer[], input: Json | undefined): Json[] {
  const said = listed(input)
  const results = said.findIndex(item => !isResult(item))
  const at = results < 0 ? said.length : results
  return [...said.slice(0, at), ...steers.flatMap(steer => listed(steer.input)), ...said.slice(at)]
}

function isResult(item: Json): boolean {
  const type = isObject(item) ? (asText(item.type) ?? '') : ''
  return type.endsWith('_output') || type === 'mcp_approval_response'
}

function listed(input: Json | undefined): readonly Json[] {
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : asArray(input)
}

/** The results that a response waits for before anything else can be said, without what only the client knows. */
export function requiredInput(output: readonly JsonObject[]): JsonObject[] {
  return output.flatMap(({ type, call_id, name, id, execution }): JsonObject[] => {
    switch (type) {
      case 'function_call':
        return [{ type: 'function_call_output', call_id, name }]
      case 'custom_tool_call':
      case 'computer_call':
      case 'apply_patch_call':
      case 'shell_call':
        return [{ type: `${type}_output`, call_id }]
      case 'tool_search_call':
        return execution === 'client' ? [{ type: 'tool_search_output', call_id, execution }] : []
      case 'mcp_approval_request':
        return [{ type: 'mcp_approval_response', approval_request_id: id }]
      default:
        return []
    }
  })
}

/** The events of steering; `sequence` counts them. */
export function writeAccepted({ id, responseId }: Steer, sequence: number, streamId?: string): string {
  return JSON.stringify({
    type: 'response.steer.accepted',
    sequence_number: sequence,
    steer: { id, previous_response_id: responseId },
    stream_id: streamId,
  })
}

export function writePending(
  { id, responseId }: Steer,
  required: readonly JsonObject[],
  sequence: number,
  streamId?: string,
): string {
  return JSON.stringify({
    type: 'response.steer.pending',
    sequence_number: sequence,
    reason: 'waiting_for_required_input',
    required_input: required,
    steer: { id, previous_response_id: responseId },
    stream_id: streamId,
  })
}

export function writeFailed(
  { id, responseId, input }: { readonly id?: string; readonly responseId: Json; readonly input: Json },
  code: SteerFailure,
  sequence: number,
  streamId?: string,
): string {
  return JSON.stringify({
    type: 'response.steer.failed',
    sequence_number: sequence,
    error: { type: 'invalid_request_error', code, message: words[code] },
    steer: { id, previous_response_id: responseId, input },
    stream_id: streamId,
  })
}
