import { AppError } from '../../errors.ts'
import { UniqueViolation, unavailable } from '../store-error.ts'

interface SqlError extends Error {
  code?: string
  errno?: string | number
}

/** SQLSTATE classes and codes that mean "not now": connection, deadlock, resources, locks, operator, system, and a transaction that was idle for too long. */
const postgresUnavailable = /^(08|40|53|55P03|57|58|25006|25P03)/
/** Too many connections, shutting down, killed, read-only, disk full; lock wait, deadlock, out of time. */
const mysqlUnavailable = new Set([1040, 1053, 1290, 1836, 1927, 1021, 1114, 3168, 1205, 1213, 1969, 3024])

/** Turns a driver's error into ours: a unique violation, an unavailable database, or itself. */
export function translateError(error: unknown): Error {
  if (error instanceof AppError) return error
  if (!(error instanceof Error)) return unavailable(error)
  const { code = '', errno } = error as SqlError
  if (code.startsWith('ERR_POSTGRES_SERVER') || code.startsWith('ERR_POSTGRES_SYNTAX')) {
    if (errno === '23505') return new UniqueViolation(error.message, { cause: error })
    return postgresUnavailable.test(String(errno)) ? unavailable(error) : error
  }
  if (code.startsWith('ERR_MYSQL_SERVER') || code.startsWith('ERR_MYSQL_SYNTAX')) {
    if (errno === 1062) return new UniqueViolation(error.message, { cause: error })
    return mysqlUnavailable.has(Number(errno)) ? unavailable(error) : error
  }
  if (/^ERR_(POSTGRES|MYSQL)_(INVALID_(QUERY|BINDING)|UNSUPPORTED|NOT_TAGGED|QUERY_CANCELLED)/.test(code))
    return error
  return code.startsWith('ERR_') || /^E[A-Z]+$/.test(code) ? unavailable(error) : error
}
