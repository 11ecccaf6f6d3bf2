import { asArray, asNumber, asObject, asText, type Json, type JsonObject } from '../json.ts'
import { wordsOr } from '../own-words.ts'
import type { Problem } from '../spec.ts'

export const statusOfWord = new Map([
  ['INVALID_ARGUMENT', 400],
  ['FAILED_PRECONDITION', 400],
  ['OUT_OF_RANGE', 400],
  ['UNAUTHENTICATED', 401],
  ['PERMISSION_DENIED', 403],
  ['NOT_FOUND', 404],
  ['ABORTED', 409],
  ['ALREADY_EXISTS', 409],
  ['RESOURCE_EXHAUSTED', 429],
  ['CANCELLED', 499],
  ['INTERNAL', 500],
  ['UNKNOWN', 500],
  ['DATA_LOSS', 500],
  ['UNIMPLEMENTED', 501],
  ['UNAVAILABLE', 503],
  ['DEADLINE_EXCEEDED', 504],
])

const wordOfStatus = new Map([
  [401, 'UNAUTHENTICATED'],
  [402, 'PERMISSION_DENIED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [408, 'DEADLINE_EXCEEDED'],
  [409, 'ABORTED'],
  [429, 'RESOURCE_EXHAUSTED'],
  [499, 'CANCELLED'],
  [500, 'INTERNAL'],
  [501, 'UNIMPLEMENTED'],
  [502, 'UNAVAILABLE'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
  [529, 'UNAVAILABLE'],
])

const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo'
/** The others tell of the operator's own project and quota. */
const handedOn = [RETRY_INFO, 'type.googleapis.com/google.rpc.BadRequest']

export function readProblem(status: number, body: unknown): Problem {
  const whole = asObject(Array.isArray(body) ? body[0] : body)
  const error = asObject(whole?.error)
  const details = asArray(error?.details)
  const retryAfter = readRetryDelay(details)
  const fit = details.filter(detail => handedOn.includes(asText(asObject(detail)?.['@type']) ?? ''))
  return {
    status,
    ...wordsOr(asText(error?.message) || asText(whole?.error) || asText(whole?.message), 'upstream.status', {
      status,
    }),
    code: hasReason(details, 'API_KEY_INVALID') ? 'API_KEY_INVALID' : (asText(error?.status) ?? null),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(fit.length > 0 && { details: fit }),
  }
}

/** The error of a chunk; its status is inside, for that of the answer was 200. */
export function readStreamProblem(chunk: JsonObject): Problem | undefined {
  if (chunk.error === undefined || chunk.error === null) return undefined
  const error = asObject(chunk.error)
  const code = asNumber(error?.code)
  const fits = code !== undefined && Number.isInteger(code) && code >= 400 && code < 600
  return readProblem(fits ? code : (statusOfWord.get(asText(error?.status) ?? '') ?? 500), chunk)
}

export function writeProblem(problem: Problem): JsonObject {
  const error: JsonObject = {
    code: problem.status,
    message: problem.message,
    status: chooseWord(problem),
  }
  const details = writeDetails(problem)
  if (details) error.details = details
  return { error }
}

export function chooseWord({ status, code }: Problem): string {
  if (code && statusOfWord.get(code) === status) return code
  return wordOfStatus.get(status) ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT')
}

function writeDetails(problem: Problem): Json[] | undefined {
  const own = asArray(problem.details).filter(detail => asText(asObject(detail)?.['@type']) !== undefined)
  if (own.length > 0) return own
  if (problem.retryAfter === undefined) return undefined
  return [{ '@type': RETRY_INFO, retryDelay: `${problem.retryAfter}s` }]
}

/** "34.4s"; whole seconds, rounded up, are what a Retry-After header takes. */
function readRetryDelay(details: readonly Json[]): number | undefined {
  for (const item of details) {
    const delay = asText(asObject(item)?.retryDelay)
    const seconds = delay?.endsWith('s') ? Number(delay.slice(0, -1) || Number.NaN) : Number.NaN
    if (Number.isFinite(seconds) && seconds >= 0) return Math.ceil(seconds)
  }
  return undefined
}

function hasReason(details: readonly Json[], reason: string): boolean {
  return details.some(detail => asObject(detail)?.reason === reason)
}
