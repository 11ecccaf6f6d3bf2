import type { SQL } from 'bun'
import { bigIntsToNumbers } from '../bun-sql/bun-sql-dialect.ts'
import { translateError } from '../bun-sql/translate-error.ts'
import { unavailable } from '../store-error.ts'
import type { Row, RunBatch } from './batch.ts'
import { type Compiled, compileRead, compileWrite } from './bulk.ts'

type Connection = Awaited<ReturnType<SQL['reserve']>>

const ANSWER_WITHIN_MS = 10_000

/** Batches on PostgreSQL and MySQL: a connection of its own for each, and one statement per kind of write. */
export function bunSqlBatch(
  engine: 'postgres' | 'mysql',
  sql: SQL,
  withinMs: number = ANSWER_WITHIN_MS,
): RunBatch {
  return async (decision, argument) => {
    const connection = await reserve(sql, withinMs)
    // A server that has gone silent must not hold for ever what waits behind this batch.
    const alarm = setTimeout(() => {
      connection.close({ timeout: 0 }).catch(() => {})
    }, withinMs)
    try {
      await begin(engine, connection)
      const reads = decision.reads(argument()).map(read => compileRead(engine, read))
      const found = await runAll(connection, reads)
      const { writes, result } = decision.decide(found, argument())
      await runAll(
        connection,
        writes.filter(({ rows }) => rows.length > 0).map(write => compileWrite(engine, write)),
      )
      // Only now: MySQL would commit what is left of a transaction in which a statement failed.
      await connection.unsafe('commit')
      return result
    } catch (error) {
      await connection.unsafe('rollback').catch(() => {})
      throw translateError(error)
    } finally {
      clearTimeout(alarm)
      connection.release()
    }
  }
}

/**
 * Statements that are sent without waiting for each other. The server takes them in this order all the same: rows are
 * locked in the same order everywhere.
 */
async function runAll(connection: Connection, statements: readonly Compiled[]): Promise<Row[][]> {
  const results = await Promise.all(
    statements.map(({ sql, runs }) => connection.unsafe(sql, [...(runs[0] ?? [])])),
  )
  return results.map(rows => {
    for (const row of rows as Record<string, unknown>[]) bigIntsToNumbers(row)
    return [...rows] as Row[]
  })
}

async function reserve(sql: SQL, withinMs: number): Promise<Connection> {
  const reserving = sql.reserve()
  const { promise: late, reject } = Promise.withResolvers<never>()
  const alarm = setTimeout(() => {
    reject(unavailable(new Error('no connection to the database became free')))
    // Should one come after all, it goes back.
    reserving.then(connection => connection.release()).catch(() => {})
  }, withinMs)
  try {
    return await Promise.race([reserving, late])
  } catch (error) {
    throw translateError(error)
  } finally {
    clearTimeout(alarm)
  }
}

/**
 * A batch finds every row by its key. PostgreSQL cannot know how few rows the list it is given names, and would
 * rather read whole tables, bloated by their own updates.
 */
const byKeyOnly = ['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan'].map(
  way => `set local enable_${way} = off`,
)

async function begin(engine: 'postgres' | 'mysql', connection: Connection): Promise<void> {
  if (engine === 'postgres') {
    await connection.unsafe(['begin', ...byKeyOnly].join('; ')).simple()
    return
  }
  // MySQL's default level locks gaps between rows, and two nodes that insert would wait for each other.
  await connection.unsafe('set transaction isolation level read committed')
  await connection.unsafe('begin')
}
