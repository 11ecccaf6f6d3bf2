import { dialects } from '../../dialects/index.ts'
import { AppError } from '../../errors.ts'
import { asProblem } from '../../relay/problems.ts'
import type { Incoming } from '../../relay/request/incoming.ts'

/** Google's clients repeat what failed by its status alone: this one they give to their caller. */
const NOT_REPEATED = 409

/** An error in Google's form. */
export function refuseAsGemini(error: unknown, incoming: Incoming): Response {
  const told = asProblem(error, incoming)
  const isUnheard = error instanceof AppError && error.code === 'batch.unheard'
  const problem = isUnheard ? { ...told, status: NOT_REPEATED } : told
  const headers: Record<string, string> =
    problem.retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(problem.retryAfter)) }
  return Response.json(dialects.gemini.writeProblem(problem), { status: problem.status, headers })
}
