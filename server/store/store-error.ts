import { AppError } from '../errors.ts'

/** A row that may exist once existed already. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
}

/** The database cannot be reached or cannot write: callers get 503 and may try again. */
export function unavailable(cause: unknown): AppError {
  return new AppError('store.unavailable', {}, cause)
}

export function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'store.unavailable'
}
