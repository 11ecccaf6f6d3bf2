import type { JsonObject } from '../json.ts'
import type { Problem } from '../spec.ts'

export function writeProblem(problem: Problem): JsonObject {
  return {
    error: {
      message: problem.message,
      type: problem.type ?? guessType(problem.status),
      param: problem.param ?? null,
      code: problem.code === undefined ? guessCode(problem) : problem.code,
    },
  }
}

export function writeStreamProblem(problem: Problem): string {
  return `data: ${JSON.stringify(writeProblem(problem))}\n\n`
}

function guessType(status: number): string {
  if (status === 402) return 'insufficient_quota'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}

function guessCode({ status, message }: Problem): string | null {
  switch (status) {
    case 401:
      return 'invalid_api_key'
    case 402:
      return 'insufficient_quota'
    case 404:
      // A file, an item or an address may be missing just as well.
      return /\bmodels?\b/i.test(message) ? 'model_not_found' : null
    case 429:
      return 'rate_limit_exceeded'
    default:
      return null
  }
}
