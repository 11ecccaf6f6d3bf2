import { AppError } from '../../errors.ts'
import { UniqueViolation, unavailable } from '../store-error.ts'

interface SqlError extends Error {
  code?: string
  errno?: string | number
  severity?: string
}

/**
 * SQLSTATE classes and codes that mean "not now": connection, deadlock, a right that was taken away, resources, locks,
 * operator, system, read-only, and a transaction that was idle for too long.
 */
const postgresUnavailable = /^(08|40|42501|53|55P03|57|58|25006|25P03)/
/** Of a session that is over, or was not let in (its account or database is locked, renamed, or has another password). */
const overForAll = /^(FATAL|PANIC)$/
const mysqlReadOnly = [1290, 1792, 1836]
/** Not let in: account, password, database, host, too many connections of the account, offline, locked; rights taken away. */
const mysqlRefused = [
  1044, 1045, 1049, 1129, 1130, 1142, 1143, 1203, 1226, 1698, 1820, 1862, 3032, 3118, 4151,
]
/** Too many connections, shutting down, killed, disk full; lock wait, deadlock, changed meanwhile, told to end, out of time. */
const mysqlPassing = [1040, 1053, 1927, 1021, 1114, 3168, 1205, 1213, 1020, 1317, 1969, 3024]
/** Of a node in a cluster: it is not ready (Galera), or not of the majority; another node's change went first. */
const mysqlClustered = [1047, 3100, 3101]
const mysqlUnavailable = new Set([...mysqlReadOnly, ...mysqlRefused, ...mysqlPassing, ...mysqlClustered])
const readOnly: ReadonlySet<unknown> = new Set(['25006', ...mysqlReadOnly])

/** Whether a session takes no writes: it stays so, also when its server has taken writes again for long. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && readOnly.has((error as SqlError).errno)
}

/** Turns a driver's error into ours: a unique violation, an unavailable database, or itself. */
export function translateError(error: unknown): Error {
  if (error instanceof AppError) return error
  if (!(error instanceof Error)) return unavailable(error)
  const { code = '', errno, severity = '' } = error as SqlError
  if (code.startsWith('ERR_POSTGRES_SERVER') || code.startsWith('ERR_POSTGRES_SYNTAX')) {
    if (errno === '23505') return new UniqueViolation(error.message, { cause: error })
    const isAway = overForAll.test(severity) || postgresUnavailable.test(String(errno))
    return isAway ? unavailable(error) : error
  }
  if (code.startsWith('ERR_MYSQL_SERVER') || code.startsWith('ERR_MYSQL_SYNTAX')) {
    if (errno === 1062) return new UniqueViolation(error.message, { cause: error })
    return mysqlUnavailable.has(Number(errno)) ? unavailable(error) : error
  }
  if (/^ERR_(POSTGRES|MYSQL)_(INVALID_(QUERY|BINDING)|UNSUPPORTED|NOT_TAGGED|QUERY_CANCELLED)/.test(code))
    return error
  return code.startsWith('ERR_') || /^E[A-Z]+$/.test(code) ? unavailable(error) : error
}
