import { asText, isObject, type JsonObject } from '../json.ts'
import { wordsOr } from '../own-words.ts'
import type { Problem } from '../spec.ts'

const LONGEST_MESSAGE = 4000

/** What the codes and types that come without an HTTP status stand for. */
const STATUS_OF = new Map<string, number>([
  ['rate_limit_exceeded', 429],
  ['rate_limit_error', 429],
  ['insufficient_quota', 429],
  ['invalid_api_key', 401],
  ['authentication_error', 401],
  ['permission_error', 403],
  ['model_not_found', 404],
  ['not_found_error', 404],
  ['server_is_overloaded', 503],
  ['overloaded_error', 503],
  ['slow_down', 503],
  ['context_length_exceeded', 400],
  ['invalid_prompt', 400],
  ['content_filter', 400],
  ['content_policy_violation', 400],
  ['moderation_blocked', 400],
  ['image_generation_user_error', 400],
  ['invalid_request_error', 400],
  ['bio_policy', 400],
  ['data_residency_mismatch', 400],
  ['misalignment_policy_violation', 400],
])

/** An error body, or a whole response that failed (which comes with HTTP 200). */
export function readProblem(status: number, body: unknown): Problem {
  const error = findError(body)
  const code = readCode(error?.code)
  const type = asText(error?.type)
  return {
    status: status >= 400 ? status : findStatus(code, type),
    ...readMessage(error?.message ?? body, status),
    code,
    param: asText(error?.param) ?? null,
    type: type === 'error' ? undefined : type,
  }
}

/** An error inside a stream: an `error` event, flat or nested, or the response of `response.failed`. */
export function readStreamProblem(body: JsonObject | string): Problem {
  return readProblem(0, body)
}

function findError(body: unknown): JsonObject | undefined {
  if (!isObject(body)) return undefined
  if (isObject(body.error)) return body.error
  const message = asText(body.error) ?? asText(body.message) ?? asText(body.detail)
  return { ...body, message }
}

function readCode(code: unknown): string | null {
  return typeof code === 'number' ? String(code) : (asText(code) ?? null)
}

function findStatus(code: string | null, type: string | undefined): number {
  const known = STATUS_OF.get(code ?? '') ?? STATUS_OF.get(type ?? '')
  if (known) return known
  // invalid_image_format, image_too_large, unsupported_image_media_type, …
  return code?.includes('image') ? 400 : 500
}

/** Pages of proxies in front of the vendor are no message. */
function readMessage(value: unknown, status: number): Pick<Problem, 'message' | 'own'> {
  const text = asText(value)?.trim() ?? ''
  const words = text.startsWith('<') ? '' : text.slice(0, LONGEST_MESSAGE)
  return status >= 400 ? wordsOr(words, 'upstream.status', { status }) : wordsOr(words, 'upstream.unsaid')
}

export function writeProblem(problem: Problem): JsonObject {
  return { error: writeError(problem) }
}

function writeError(problem: Problem): JsonObject {
  return {
    message: problem.message,
    type: problem.type ?? nameType(problem.status),
    param: problem.param ?? null,
    code: problem.code === undefined ? nameCode(problem) : problem.code,
  }
}

/** The `error` of a response, which always has a code. */
export function writeResponseError(problem: Problem): JsonObject {
  return { code: problem.code ?? nameFailure(problem.status), message: problem.message }
}

function nameType(status: number): string {
  if (status === 402) return 'insufficient_quota'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}

function nameCode({ status, message }: Problem): string | null {
  if (status === 401) return 'invalid_api_key'
  if (status === 402) return 'insufficient_quota'
  // A file, an item or an address may be missing just as well.
  if (status === 404) return /\bmodels?\b/i.test(message) ? 'model_not_found' : null
  return status === 429 ? 'rate_limit_exceeded' : null
}

function nameFailure(status: number): string {
  if (status === 429) return 'rate_limit_exceeded'
  return status >= 500 ? 'server_error' : 'invalid_prompt'
}

/** The data of an `error` event. Some clients read the flat fields, some the nested ones. */
export function writeErrorEvent(problem: Problem, sequence: number): JsonObject {
  const error = writeError(problem)
  return {
    type: 'error',
    sequence_number: sequence,
    code: error.code,
    message: error.message,
    param: error.param,
    error,
  }
}

/** The failed response as a whole, for a stream whose own response is not known. */
export function writeStreamProblem(problem: Problem): string {
  const response = {
    id: 'resp_failed',
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status: 'failed',
    error: writeResponseError(problem),
    incomplete_details: null,
    model: '',
    output: [],
    usage: null,
  }
  // The numbers that went before were passed on unread; clients only need a number here.
  const failed = { type: 'response.failed', sequence_number: 0, response }
  return `event: error\ndata: ${JSON.stringify(writeErrorEvent(problem, 0))}\n\nevent: response.failed\ndata: ${JSON.stringify(failed)}\n\n`
}
