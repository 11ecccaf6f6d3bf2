import { dialects } from '../../dialects/index.ts'
import type { Endpoint } from '../define.ts'

/** A wrong key is told with 403, and with 400 that no credits are left. */
export const readProblem: NonNullable<Endpoint['readProblem']> = (status, body, headers) => {
  const problem = dialects['openai-chat'].readProblem(status, body, headers)
  if (status === 403) return { ...problem, status: 401 }
  return /not enough credits/i.test(problem.message ?? '') ? { ...problem, status: 402 } : problem
}
