import { ApiError } from '../../api.ts'
import { named } from '../../punctuation.ts'

/** Several may be tested or asked for their balance at once: what failed says whose it is. */
export function nameFailure(name: string, error: unknown): unknown {
  if (!(error instanceof ApiError) || error.kind === 'logged-out') return error
  return new ApiError(error.kind, error.status, named(name, error.message))
}
