import type { SQL } from 'bun'
import { bigIntsToNumbers } from '../bun-sql/bun-sql-dialect.ts'
import { translateError } from '../bun-sql/translate-error.ts'
import { unavailable } from '../store-error.ts'
import type { Row, RunBatch } from './batch.ts'
import { type Compiled, compileRead, compileWrites } from './bulk.ts'

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
      const open = engine === 'postgres' ? openPostgres : openMysql
      const found = await open(connection, () =>
        decision.reads(argument()).map(read => compileRead(engine, read)),
      )
      const { writes, result } = decision.decide(found, argument())
      const close = engine === 'postgres' ? closePostgres : closeMysql
      await close(connection, compileWrites(engine, writes))
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

const ask = (connection: Connection, { sql, runs }: Compiled) => connection.unsafe(sql, [...(runs[0] ?? [])])

/** Sent without waiting for each other; the server takes them in this order all the same. */
async function together(queries: readonly PromiseLike<unknown>[]): Promise<Row[][]> {
  const results = (await Promise.all(queries)) as Record<string, unknown>[][]
  return results.map(rows => {
    for (const row of rows) bigIntsToNumbers(row)
    return [...rows] as Row[]
  })
}

/**
 * A batch finds every row by its key. PostgreSQL cannot know how few rows the list it is given names, and would
 * rather read whole tables, bloated by their own updates.
 */
const findByKeyOnly = (connection: Connection) => connection`select
  set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
  set_config('enable_mergejoin', 'off', true), set_config('enable_bitmapscan', 'off', true)`

async function openPostgres(connection: Connection, reads: () => readonly Compiled[]): Promise<Row[][]> {
  const opening = [connection`begin`, findByKeyOnly(connection)]
  const found = await together([...opening, ...reads().map(read => ask(connection, read))])
  return found.slice(opening.length)
}

/** The commit may follow at once: where a write failed, PostgreSQL takes everything back instead. */
async function closePostgres(connection: Connection, writes: readonly Compiled[]): Promise<void> {
  await together([...writes.map(write => ask(connection, write)), connection`commit`])
}

async function openMysql(connection: Connection, reads: () => readonly Compiled[]): Promise<Row[][]> {
  // MySQL's default level locks gaps between rows, and two nodes that insert would wait for each other.
  await connection.unsafe('set transaction isolation level read committed')
  await connection.unsafe('begin')
  return together(reads().map(read => ask(connection, read)))
}

async function closeMysql(connection: Connection, writes: readonly Compiled[]): Promise<void> {
  await together(writes.map(write => ask(connection, write)))
  // Only now: MySQL would commit what is left of a transaction in which a statement failed.
  await connection.unsafe('commit')
}
