import { dialects } from '../../dialects/index.ts'
import type { Problem } from '../../dialects/spec.ts'

/** Its words come encoded at times. */
const WRONG_KEY = /^Incorrect( |%20)API( |%20)key/

/** A key that it does not know is a wrong argument to it. */
export function readProblem(status: number, body: unknown): Problem {
  const problem = dialects['openai-chat'].readProblem(status, body)
  return status === 400 && WRONG_KEY.test(problem.message) ? { ...problem, status: 401 } : problem
}
