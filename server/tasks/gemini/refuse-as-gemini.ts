import { dialects } from '../../dialects/index.ts'
import { asProblem } from '../../relay/problems.ts'
import type { Incoming } from '../../relay/request/incoming.ts'

/** An error in Google's form. */
export function refuseAsGemini(error: unknown, incoming: Incoming): Response {
  const problem = asProblem(error, incoming)
  const headers: Record<string, string> =
    problem.retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(problem.retryAfter)) }
  return Response.json(dialects.gemini.writeProblem(problem), { status: problem.status, headers })
}
