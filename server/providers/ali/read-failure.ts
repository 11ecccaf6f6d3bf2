import { dialects } from '../../dialects/index.ts'
import { asObject, asText, type JsonObject } from '../../dialects/json.ts'
import type { Problem } from '../../dialects/spec.ts'
import { readFailure as readAnyFailure } from '../kit/answers/read-failure.ts'

/** By how the code begins. */
const statuses: readonly (readonly [code: string, status: number])[] = [
  ['InvalidApiKey', 401],
  ['Arrearage', 402],
  ['AccessDenied', 403],
  ['Model.AccessDenied', 403],
  ['Workspace.AccessDenied', 403],
  ['AllocationQuota', 403],
  ['ModelNotFound', 404],
  ['WorkSpaceNotFound', 404],
  ['RequestTimeOut', 408],
  ['Throttling', 429],
  ['DataInspectionFailed', 400],
  ['data_inspection_failed', 400],
  ['InvalidParameter', 400],
  ['InvalidURL', 400],
  ['BadRequest', 400],
  ['IPInfringementSuspect', 400],
  ['UnsupportedOperation', 400],
  ['ServiceUnavailable', 503],
  ['ModelServingError', 503],
]
const UNKNOWN_FAILURE = 500
const ended = new Set<unknown>(['FAILED', 'CANCELED', 'UNKNOWN'])

/** A task that came to nothing, or an error where an answer should be. */
export function readFailure(body: JsonObject): Problem | undefined {
  const output = asObject(body.output)
  if (output && ended.has(output.task_status)) return readErrorEvent(output)
  if (asText(body.code) && output === undefined && body.choices === undefined) return readErrorEvent(body)
  return readAnyFailure(body)
}

/** Where no status line tells, the code does. */
export function readErrorEvent(body: JsonObject | undefined): Problem {
  const code = asText(body?.code)
  const [, status = UNKNOWN_FAILURE] = statuses.find(([begin]) => code?.startsWith(begin)) ?? []
  return readProblem(status, body)
}

/** Its own API answers 400 for a model it does not have. */
export function readProblem(status: number, body: unknown): Problem {
  const problem = dialects['openai-chat'].readProblem(status, body)
  if (status !== 400 || !/^Model not exist/i.test(problem.message)) return problem
  return { ...problem, status: 404, code: 'model_not_found' }
}
