import { dialects } from '../../dialects/index.ts'
import { asText, type JsonObject } from '../../dialects/json.ts'
import { wordsOr } from '../../dialects/own-words.ts'
import type { Problem } from '../../dialects/spec.ts'
import { readFailure as readAnyFailure } from '../kit/answers/read-failure.ts'

const statuses = new Map([
  [1, 500],
  [2, 503],
  [3, 404],
  [4, 429],
  [6, 403],
  [13, 401],
  [14, 401],
  [15, 500],
  [17, 429],
  [18, 429],
  [19, 429],
  [100, 401],
  [110, 401],
  [111, 401],
  [336000, 500],
  [336100, 503],
  [336501, 429],
  [336502, 429],
  [336503, 429],
  [336504, 429],
  [336505, 429],
])
const FIRST_OF_CALLERS = 336_001
const LAST_OF_CALLERS = 336_499

/** The first API sends its errors with status 200. */
export function readFailure(body: JsonObject): Problem | undefined {
  const code = body.error_code ?? (typeof body.msg === 'string' ? body.code : undefined)
  if (code === undefined || code === null || code === 0) return readAnyFailure(body)
  const words = wordsOr(asText(body.error_msg) || asText(body.msg), 'upstream.unsaid')
  return { status: statusOf(Number(code)), ...words, code: String(code) }
}

function statusOf(code: number): number {
  const isCallers = code >= FIRST_OF_CALLERS && code <= LAST_OF_CALLERS
  return statuses.get(code) ?? (isCallers ? 400 : 502)
}

/** What the second API says of 401 need not be of the key: a model or a field may not be the account's. */
export function readProblem(status: number, body: unknown): Problem {
  const problem = dialects['openai-chat'].readProblem(status, body)
  if (status !== 401) return problem
  if (problem.code === 'invalid_model') return { ...problem, status: 404, code: 'model_not_found' }
  return problem.code === 'no_parameter_permission' ? { ...problem, status: 403 } : problem
}
