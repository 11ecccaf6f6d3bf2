import { dialects } from '../../dialects/index.ts'
import type { Problem } from '../../dialects/spec.ts'

/** Clients such as Claude Code name betas that Google does not know. No count has to fail for that. */
export function readCountProblem(status: number, body: unknown, headers?: Headers): Problem {
  const problem = dialects.anthropic.readProblem(status, body, headers)
  return problem.message.includes('for the `anthropic-beta` header') ? { ...problem, status: 501 } : problem
}
