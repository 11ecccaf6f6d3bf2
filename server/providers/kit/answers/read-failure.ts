import { asText, isObject, type Json, type JsonObject } from '../../../dialects/json.ts'
import { wordsOr } from '../../../dialects/own-words.ts'
import type { Problem } from '../../../dialects/spec.ts'

/** The vendor failed without saying how, so another channel may be tried. */
const UNKNOWN_FAILURE = 502

const statusOfWord = new Map([
  ['invalid_request_error', 400],
  ['invalid_api_key', 401],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['model_not_found', 404],
  ['not_found_error', 404],
  ['insufficient_quota', 429],
  ['rate_limit_exceeded', 429],
  ['rate_limit_error', 429],
  ['overloaded_error', 529],
  ['timeout_error', 504],
])

const answerFields = ['choices', 'data', 'output', 'candidates', 'content', 'results'] as const

/** An error sent with status 200: `{error}` or `{code, message}` where an answer should be. */
export function readFailure(body: JsonObject): Problem | undefined {
  if (answerFields.some(field => holdsSomething(body[field]))) return undefined
  const { error } = body
  if (typeof error === 'string' && error !== '') return { status: UNKNOWN_FAILURE, message: error }
  if (isObject(error) && Object.keys(error).length > 0) return readError(error)
  return readCode(body)
}

function readError(error: JsonObject): Problem {
  const code = asCode(error.code)
  const type = asText(error.type)
  return {
    status: httpStatus(error.code) ?? httpStatus(error.status) ?? statusOfWords(code, type),
    ...wordsOr(asText(error.message) || code || type, 'upstream.unsaid'),
    code,
    type,
    param: asText(error.param),
  }
}

function readCode(body: JsonObject): Problem | undefined {
  const code = Number(asCode(body.code) ?? 0)
  const message = asText(body.message) || asText(body.msg)
  if (!message || !Number.isInteger(code) || code === 0 || code === 200) return undefined
  if (body.success === true || body.status === true) return undefined
  return { status: httpStatus(code) ?? UNKNOWN_FAILURE, message, code: String(code) }
}

function holdsSomething(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > 0
}

function asCode(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : asText(value)
}

/** Vendors number their own errors too, also above 400. */
function httpStatus(value: unknown): number | undefined {
  const status = typeof value === 'string' ? Number(value) : value
  if (typeof status !== 'number' || !Number.isInteger(status)) return undefined
  const isKnown = (status >= 400 && status <= 451) || (status >= 500 && status <= 511) || status === 529
  return isKnown ? status : undefined
}

function statusOfWords(code: string | undefined, type: string | undefined): number {
  return statusOfWord.get(code ?? '') ?? statusOfWord.get(type ?? '') ?? UNKNOWN_FAILURE
}
