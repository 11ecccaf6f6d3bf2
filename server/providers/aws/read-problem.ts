import { dialects } from '../../dialects/index.ts'
import type { Problem } from '../../dialects/spec.ts'

/** The name of an error stands in a header, with an address behind it. */
export function readProblem(status: number, body: unknown, headers?: Headers): Problem {
  const problem = dialects['openai-chat'].readProblem(status, body)
  const code = headers?.get('x-amzn-errortype')?.split(/[:#]/)[0]?.trim()
  return code ? { ...problem, code } : problem
}
