import { dialects } from '../dialects/index.ts'
import { AppError } from '../errors.ts'
import { asProblem } from '../relay/problems.ts'
import type { Incoming } from '../relay/request/incoming.ts'
import { isSurelyRefused, UpstreamFailure } from '../relay/upstream/upstream-failure.ts'

/** What the client has done wrong, or asks for and has not, is said as the vendor says it. */
const own = /^(?:video|file|batch|kept)\./

/** An error in OpenAI's form. */
export function refuseAsOpenai(error: unknown, incoming: Incoming): Response {
  const problem = asProblem(error, incoming)
  const type = error instanceof AppError && own.test(error.code) ? 'invalid_request_error' : problem.type
  const body = dialects['openai-chat'].writeProblem({ ...problem, ...(type && { type }) })
  const headers: Record<string, string> =
    problem.retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(problem.retryAfter)) }
  // The SDK tries again by itself; where nobody knows what became of the first, that could make two.
  if (mayHaveBegun(error)) headers['x-should-retry'] = 'false'
  return Response.json(body, { status: problem.status, headers })
}

function mayHaveBegun(error: unknown): boolean {
  if (error instanceof UpstreamFailure) return !isSurelyRefused(error)
  return error instanceof AppError && error.code === 'batch.unheard'
}
