import { AppError } from '../errors.ts'

/** A row that may exist once existed already. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
}

/** The database cannot be reached or cannot write: callers get 503 and may try again. */
export function unavailable(cause: unknown): AppError {
  return new AppError('store.unavailable', {}, cause)
}

/**
 * PostgreSQL's words and MySQL's for two transactions that waited for each other: one was taken back whole. MariaDB
 * says 1020 and does the same where another has changed a row since this one has looked; a group of MySQLs says 3101
 * where that was on another node.
 */
const deadlocks: ReadonlySet<unknown> = new Set(['40P01', '40001', 1213, 1020, 3101])

/** Whether the same work may simply be done again. */
export function isDeadlock(error: unknown): boolean {
  if (!isUnavailable(error)) return false
  const { cause } = error as AppError
  return cause instanceof Error && 'errno' in cause && deadlocks.has(cause.errno)
}

export function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'store.unavailable'
}
