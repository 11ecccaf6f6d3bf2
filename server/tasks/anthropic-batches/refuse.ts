import { dialects } from '../../dialects/index.ts'
import { AppError } from '../../errors.ts'
import { asProblem } from '../../relay/problems.ts'
import type { Incoming } from '../../relay/request/incoming.ts'

/** An error in Anthropic's form. */
export function refuseAsAnthropic(error: unknown, incoming: Incoming): Response {
  const problem = asProblem(error, incoming)
  const headers: Record<string, string> =
    problem.retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(problem.retryAfter)) }
  // The SDK tries again by itself; where nobody knows what became of the first, that could make two.
  if (error instanceof AppError && error.code === 'batch.unheard') headers['x-should-retry'] = 'false'
  return Response.json(dialects.anthropic.writeProblem(problem), { status: problem.status, headers })
}
