import type { JsonObject } from '../json.ts'
import type { Problem } from '../spec.ts'

export function writeProblem(problem: Problem): JsonObject {
  return {
    error: {
      message: problem.message,
      type: problem.type ?? guessType(problem.status),
      param: problem.param ?? null,
      code: problem.code === undefined ? guessCode(problem.status) : problem.code,
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

function guessCode(status: number): string | null {
  switch (status) {
    case 401:
      return 'invalid_api_key'
    case 402:
      return 'insufficient_quota'
    case 404:
      return 'model_not_found'
    case 429:
      return 'rate_limit_exceeded'
    default:
      return null
  }
}
