import type { SQL } from 'bun'
import { againAfterDeadlock } from '../again-after-deadlock.ts'
import { bigIntsToNumbers } from '../bun-sql/bun-sql-dialect.ts'
import { type Reserved, reserve } from '../bun-sql/reserve.ts'
import { silence } from '../bun-sql/silence.ts'
import { isReadOnly, translateError } from '../bun-sql/translate-error.ts'
import type { Row, RunBatch } from './batch.ts'
import type { BulkRead, Compiled } from './bulk.ts'
import { compileRead, compileWrites } from './compile.ts'

const ANSWER_WITHIN_MS = 10_000

/** Batches on PostgreSQL and MySQL, each on a connection of its own, and each kind of write as one statement. */
export function bunSqlBatch(
  engine: 'postgres' | 'mysql',
  sql: SQL,
  { withinMs = ANSWER_WITHIN_MS, isPooled = false }: { withinMs?: number; isPooled?: boolean } = {},
): RunBatch {
  const { open, close, end } = engine === 'mysql' ? mysql : isPooled ? pooled : postgres
  const run: RunBatch = async (decision, argument) => {
    const connection = await reserve(sql, withinMs)
    // A server that has gone silent must not hold for ever what waits behind this batch.
    const alarm = setTimeout(() => {
      connection.close({ timeout: 0 }).catch(() => {})
    }, withinMs)
    try {
      const found = await open(connection, () => decision.reads(argument()))
      const { writes, result } = decision.decide(found, argument())
      await close(connection, compileWrites(engine, writes))
      return result
    } catch (error) {
      // Its successor may lead to another server, or to the same one as it is by then.
      if (isReadOnly(error)) connection.close({ timeout: 0 }).catch(() => {})
      else await end(connection).catch(() => {})
      throw translateError(error)
    } finally {
      clearTimeout(alarm)
      connection.release()
    }
  }
  return (decision, argument) => againAfterDeadlock(() => run(decision, argument))
}

/** How a batch begins with its reads, and ends with its writes. */
interface Way {
  open(connection: Reserved, reads: () => readonly BulkRead[]): Promise<Row[][]>
  close(connection: Reserved, writes: readonly Compiled[]): Promise<void>
  /** Takes back what was begun. */
  end(connection: Reserved): Promise<unknown>
}

/**
 * Two round trips for most batches: a single statement is written as a whole or not at all, so the commit may follow
 * it at once. After several it waits until each has said that it was done.
 */
const postgres: Way = {
  open: (connection, reads) => openPostgres(connection, reads, [connection`begin`]),
  async close(connection, writes) {
    const asked = [...hints(connection, writes), ...writes.map(write => ask(connection, write))]
    if (writes.length > 1) await together(asked.splice(0))
    await together([...asked, connection`commit`])
  },
  end: connection => connection`rollback`,
}

/** No session is ours that could know how long it may be silent. */
const pooled: Way = {
  ...postgres,
  open: (connection, reads) =>
    openPostgres(connection, reads, [connection`begin`, connection.unsafe(silence.pooled)]),
}

async function openPostgres(
  connection: Reserved,
  reads: () => readonly BulkRead[],
  beginning: readonly PromiseLike<unknown>[],
): Promise<Row[][]> {
  const compiled = reads().map(read => (read.values.length > 0 ? compileRead('postgres', read) : undefined))
  const opening = [...beginning, ...hints(connection, compiled)]
  const asked = compiled.map(read => (read ? ask(connection, read) : []))
  return (await together([...opening, ...asked])).slice(opening.length)
}

const mysql: Way = {
  async open(connection, reads) {
    // MySQL's default level locks gaps between rows, and two nodes that insert would wait for each other.
    const opening = [silence.mysql, 'set transaction isolation level read committed', 'begin']
    await together(opening.map(sql => connection.unsafe(sql)))
    return together(reads().map(read => ask(connection, compileRead('mysql', read))))
  },
  async close(connection, writes) {
    await together(writes.map(write => ask(connection, write)))
    // Only now: MySQL would commit what is left of a transaction in which a statement failed.
    await connection.unsafe('commit')
    await connection.unsafe(silence.mysqlOver).catch(() => {})
  },
  end: connection => together(['rollback', silence.mysqlOver].map(sql => connection.unsafe(sql))),
}

const ask = (connection: Reserved, { sql, runs }: Compiled) => connection.unsafe(sql, [...(runs[0] ?? [])])

/** Sent without waiting for each other; the server takes them in this order all the same. */
async function together(queries: readonly (PromiseLike<unknown> | readonly never[])[]): Promise<Row[][]> {
  const results = (await Promise.all(queries)) as Record<string, unknown>[][]
  return results.map(rows => {
    for (const row of rows) bigIntsToNumbers(row)
    return [...rows] as Row[]
  })
}

/**
 * A batch finds every row by its key. PostgreSQL cannot know how few rows a list names, and would rather read whole
 * tables, bloated by their own updates.
 */
function hints(connection: Reserved, statements: readonly (Compiled | undefined)[]) {
  if (!statements.some(statement => statement?.byList)) return []
  return [
    connection`select
      set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('enable_bitmapscan', 'off', true)`,
  ]
}
