import { dialects } from '../../dialects/index.ts'
import type { JsonObject } from '../../dialects/json.ts'
import type { Problem } from '../../dialects/spec.ts'

/** What its own codes mean, where the status says something else or nothing. */
const statusOfCode = new Map([
  // A header that is no token.
  ['6003', 401],
  ['9109', 401],
  ['10000', 401],
  // The account does not exist.
  ['7000', 404],
  ['7003', 404],
  ['3042', 404],
  ['5007', 404],
  ['3007', 408],
  ['3008', 408],
  ['3036', 429],
  ['3040', 429],
  ['3023', 403],
  ['5016', 403],
  ['5018', 403],
  ['3006', 413],
  ['3003', 400],
  ['5004', 400],
  ['5006', 400],
])

/** The vendor failed without saying how. */
const FAILED = 502
const FORBIDDEN = 403

export function readProblem(status: number, body: unknown): Problem {
  const problem = dialects['openai-chat'].readProblem(status, body)
  const known = statusOfCode.get(problem.code ?? '')
  // A token may be good and only lack the permission.
  const isKnown = known !== undefined && !(known === 401 && status === FORBIDDEN)
  return isKnown ? { ...problem, status: known } : problem
}

/** What is not a success has errors, whatever its status. */
export function readFailure(body: JsonObject): Problem | undefined {
  return body.success === false || body.error ? readProblem(FAILED, body) : undefined
}
