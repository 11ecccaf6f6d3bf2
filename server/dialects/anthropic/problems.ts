import { asArray, asObject, asText, type JsonObject } from '../json.ts'
import { wordsOr } from '../own-words.ts'
import type { Problem } from '../spec.ts'

const LONGEST_TEXT = 500

const TYPE_OF_STATUS = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [500, 'api_error'],
  [503, 'overloaded_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
])
/** Of two statuses with one type, the later counts: an overload is 529. */
const STATUS_OF_TYPE = new Map([...TYPE_OF_STATUS].map(([status, type]) => [type, status]))

/** As OpenAI calls it. */
const UNKNOWN_RESPONSE = 'previous_response_not_found'
/** What is told to clients names the request at its end. */
const SIGNED = /\(request id: ([\w-]+)\)$/

export function readProblem(status: number, body: unknown): Problem {
  if (typeof body === 'string') return { status, ...readPlainText(status, body) }
  // Some gateways wrap the one error in an array.
  const outer = asObject(Array.isArray(body) ? asArray(body)[0] : body)
  const error = asObject(outer?.error)
  if (outer === undefined) return { status, ...readPlainText(status, '') }
  if (error === undefined) {
    const text = asText(outer.message) ?? asText(outer.error) ?? asText(outer.detail) ?? ''
    return { status, ...readPlainText(status, text), code: asText(outer.code) }
  }
  const words = wordsOr(asText(error.message), 'upstream.status', { status })
  const type = asText(error.type)
  if (outer.type === 'error' || (type !== undefined && STATUS_OF_TYPE.has(type)))
    return { status, ...words, code: type, ...readDetail(error) }
  return {
    status,
    ...words,
    code: asText(error.code) ?? asText(error.status),
    param: asText(error.param),
    type,
  }
}

/** A name, and nothing that could say more than one. */
const DETAIL = /^[a-z0-9_]{1,64}$/

function readDetail(error: JsonObject): Pick<Problem, 'detail'> {
  const detail = asText(asObject(error.details)?.error_code)
  return detail !== undefined && DETAIL.test(detail) ? { detail } : {}
}

/** An error that came inside a stream has no status but that of its type. */
export function readStreamProblem(body: JsonObject): Problem {
  const type = asText(asObject(body.error)?.type)
  return readProblem(STATUS_OF_TYPE.get(type ?? '') ?? 500, body)
}

export function writeProblem(problem: Problem): JsonObject {
  const { code, status } = problem
  const known = typeof code === 'string' && STATUS_OF_TYPE.has(code) ? code : undefined
  // What makes its clients send the whole conversation by themselves.
  const detail = code === UNKNOWN_RESPONSE ? 'thread_not_found' : problem.detail
  const details = detail === undefined ? undefined : { error_code: detail }
  return {
    type: 'error',
    error: { type: known ?? findType(status, code), message: problem.message, ...(details && { details }) },
    request_id: SIGNED.exec(problem.message)?.[1] ?? null,
  }
}

export function writeStreamProblem(problem: Problem): string {
  return `event: error\ndata: ${JSON.stringify(writeProblem(problem))}\n\n`
}

/** A model that nobody serves is not there, whatever the status: clients wait for what is overloaded. */
function findType(status: number, code?: string | null): string {
  if (code === 'model_not_found') return 'not_found_error'
  return TYPE_OF_STATUS.get(status) ?? (status < 500 ? 'invalid_request_error' : 'api_error')
}

/** Web pages of proxies in between say nothing to a client of an API. */
function readPlainText(status: number, text: string): Pick<Problem, 'message' | 'own'> {
  const trimmed = text.trim()
  return wordsOr(trimmed.startsWith('<') ? '' : trimmed.slice(0, LONGEST_TEXT), 'upstream.status', { status })
}
