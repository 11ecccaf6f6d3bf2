/** In seconds. */
const MOST = 15

/**
 * Who goes silent in the middle of a transaction (frozen, cut off, without power) has locks on rows that everybody needs,
 * and nobody tells the server. On PostgreSQL its sessions know from their beginning how long that may be; where sessions
 * are shared each transaction says so. MySQL knows no such thing but for sessions as a whole, so what is said as one begins
 * is taken back at its end: the usual hours are right for one that is at rest.
 */
export const silence = {
  postgresMs: MOST * 1000,
  pooled: `set local idle_in_transaction_session_timeout = ${MOST * 1000}`,
  mysql: `set session wait_timeout = ${MOST}`,
  mysqlOver: 'set session wait_timeout = default',
} as const
