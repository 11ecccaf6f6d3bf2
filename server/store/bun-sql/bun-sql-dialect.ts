import { SQL } from 'bun'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { isUnavailable, unavailable } from '../store-error.ts'
import { Pool } from './pool.ts'
import { SessionRenewal } from './renew-sessions.ts'
import { type Reserved, reserve } from './reserve.ts'
import { silence } from './silence.ts'
import { isReadOnly, translateError } from './translate-error.ts'

/** How long a statement may take: what a request waits for, or what goes through whole tables. */
export const patience = { usualMs: 20_000, longMs: 6 * 3_600_000 } as const
/** PostgreSQL itself ends what we have given up a while ago. */
const GRACE_MS = 10_000
const ROWS_A_TURN = 500

/** PostgreSQL, MySQL and MariaDB through the runtime's own client. */
export class BunSqlDialect implements Dialect {
  /** Hears of changes, on a connection of its own that is made again when it drops; asks nothing. Whoever has it closes it. */
  readonly newListener: () => SQL
  readonly pool: Pool
  /**
   * The ledger's batches follow one another, so one connection serves them: it waits behind nothing else, and a
   * server process that has just run a statement runs it again in two thirds of the time.
   */
  readonly batches: SQL
  /** Behind a pooler that gives each transaction another session, nothing lasts longer than one. */
  readonly isPooled: boolean
  readonly around: Around
  readonly #engine: 'postgres' | 'mysql'
  readonly #withinMs: number
  readonly #renewal: SessionRenewal

  /** `connections` are all that are made: one for the batches, one to listen on, and the others for the rest. */
  constructor(
    engine: 'postgres' | 'mysql',
    url: string,
    { withinMs = patience.usualMs, connections = 12 }: { withinMs?: number; connections?: number } = {},
  ) {
    this.#engine = engine
    this.#withinMs = withinMs
    const { target, isPooled } = readPooled(url)
    this.isPooled = isPooled
    this.around = engine === 'mysql' ? mysqlAround : isPooled ? pooledAround : usualAround
    const options = { ...sessionOptions(engine, withinMs, isPooled), ...common }
    this.pool = new Pool(() => new SQL(target, { ...options, max: connections - 2 }))
    this.#renewal = new SessionRenewal(this.pool, connections - 2)
    this.newListener = () => new SQL(target, { ...options, max: 1 })
    this.batches = new SQL(target, { ...options, max: 1 })
  }
  createDriver = (): Driver => new BunSqlDriver(this, this.#renewal, this.#withinMs)
  createAdapter = () => (this.#engine === 'postgres' ? new PostgresAdapter() : new MysqlAdapter())
  createQueryCompiler = () =>
    this.#engine === 'postgres' ? new PostgresQueryCompiler() : new MysqlQueryCompiler()
  createIntrospector = (db: Kysely<unknown>) =>
    this.#engine === 'postgres' ? new PostgresIntrospector(db) : new MysqlIntrospector(db)
}

/** What is said before and after a transaction. */
interface Around {
  readonly begin: readonly string[]
  readonly end: readonly string[]
}

const mysqlAround: Around = {
  // As on PostgreSQL. At MySQL's usual level MariaDB, since 11.6, refuses who writes what was changed since they looked.
  begin: [silence.mysql, 'set transaction isolation level read committed', 'begin'],
  end: [silence.mysqlOver],
}
const pooledAround: Around = { begin: ['begin', silence.pooled], end: [] }
const usualAround: Around = { begin: ['begin'], end: [] }

const common = { bigint: true, connectionTimeout: 10, idleTimeout: 60 }

/** The word that other clients have for it too; the server itself would refuse it. */
function readPooled(url: string): { target: string; isPooled: boolean } {
  const target = new URL(url)
  const isPooled = target.searchParams.get('pgbouncer') === 'true'
  target.searchParams.delete('pgbouncer')
  return { target: isPooled ? target.href : url, isPooled }
}

function sessionOptions(engine: 'postgres' | 'mysql', withinMs: number, isPooled: boolean): SQL.Options {
  if (engine === 'mysql') return {}
  const application_name = 'tollgate'
  if (isPooled) return { prepare: false, connection: { application_name } }
  return {
    connection: {
      application_name,
      // A list is short work: to begin it on every core takes longer, and the calls of models wait for one.
      max_parallel_workers_per_gather: 0,
      jit: 'off',
      statement_timeout: withinMs + GRACE_MS,
      idle_in_transaction_session_timeout: silence.postgresMs,
    },
  }
}

class BunSqlDriver implements Driver {
  readonly #pool: Pool
  readonly #batches: SQL
  readonly #around: Around
  readonly #renewal: SessionRenewal
  readonly #withinMs: number
  constructor(
    { pool, batches, around }: Pick<BunSqlDialect, 'pool' | 'batches' | 'around'>,
    renewal: SessionRenewal,
    withinMs: number,
  ) {
    this.#pool = pool
    this.#batches = batches
    this.#around = around
    this.#renewal = renewal
    this.#withinMs = withinMs
  }
  async init(): Promise<void> {}

  async acquireConnection(): Promise<BunSqlConnection> {
    return new BunSqlConnection(this.#pool, this.#renewal, this.#withinMs)
  }

  async beginTransaction(connection: BunSqlConnection): Promise<void> {
    await connection.reserve()
    for (const each of this.#around.begin) await connection.command(each)
  }

  async commitTransaction(connection: BunSqlConnection): Promise<void> {
    await connection.command('commit')
    await this.#endSilence(connection)
  }

  async rollbackTransaction(connection: BunSqlConnection): Promise<void> {
    try {
      await connection.command('rollback')
      await this.#endSilence(connection)
    } catch (error) {
      // A lost connection has rolled back by itself; the first error is the one to report.
      if (!isUnavailable(error)) throw error
    }
  }

  /** The transaction is over by now: a session that is lost here has no say in that. */
  async #endSilence(connection: BunSqlConnection): Promise<void> {
    for (const each of this.#around.end) await connection.command(each).catch(() => {})
  }

  async releaseConnection(connection: BunSqlConnection): Promise<void> {
    connection.release()
  }

  async destroy(): Promise<void> {
    const all = [this.#pool.sql, this.#batches]
    await Promise.all(all.map(sql => sql.close({ timeout: 5 })))
  }
}

class BunSqlConnection implements DatabaseConnection {
  readonly #pool: Pool
  readonly #renewal: SessionRenewal
  readonly #withinMs: number
  #reserved: Reserved | undefined

  constructor(pool: Pool, renewal: SessionRenewal, withinMs: number) {
    this.#pool = pool
    this.#renewal = renewal
    this.#withinMs = withinMs
  }

  /** Only a transaction needs a connection of its own; single statements share the pool. */
  async reserve(): Promise<void> {
    // However long its statements may take then: it is no statement itself.
    const withinMs = Math.min(this.#withinMs, patience.usualMs)
    const since = performance.now()
    try {
      this.#reserved = await reserve(this.#pool.sql, withinMs)
    } catch (error) {
      if (performance.now() - since >= withinMs) this.#pool.waitedInVain(since)
      throw error
    }
  }

  release(): void {
    this.#reserved?.release()
    this.#reserved = undefined
  }

  /** What an unanswered transaction did is taken back by the server; nobody else may go on in it. */
  #abandon(since: number): void {
    this.#pool.waitedInVain(since)
    this.#reserved?.close({ timeout: 0 }).catch(() => {})
  }

  async command(sql: string): Promise<void> {
    await this.#run(sql, [])
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = await this.#run(query.sql, query.parameters)
    for (const [at, row] of result.entries()) {
      // Of tens of thousands the last would hold up every stream until they are all read.
      if (at % ROWS_A_TURN === ROWS_A_TURN - 1) await new Promise(setImmediate)
      bigIntsToNumbers(row)
    }
    const isInsert = query.query.kind === 'InsertQueryNode'
    return {
      rows: [...result] as R[],
      numAffectedRows: BigInt(result.affectedRows ?? result.count ?? 0),
      ...(isInsert && result.lastInsertRowid ? { insertId: BigInt(result.lastInsertRowid) } : {}),
    }
  }

  // biome-ignore lint/correctness/useYield: Kysely asks for a generator; this product pages by key instead.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('page by key instead of streaming')
  }

  async #run(sql: string, parameters: readonly unknown[]): Promise<SqlResult> {
    const values = parameters.map(value => (value === undefined ? null : value))
    try {
      const since = performance.now()
      const query = (this.#reserved ?? this.#pool.sql).unsafe(sql, values) as Promise<SqlResult>
      const result = await answered(query, this.#withinMs, () => this.#abandon(since))
      this.#pool.answered()
      return result
    } catch (error) {
      if (isReadOnly(error)) this.#renewal.begin()
      throw translateError(error)
    }
  }
}

interface SqlResult extends Array<Record<string, unknown>> {
  count?: number
  affectedRows?: number
  lastInsertRowid?: number | bigint | null
}

/** 64-bit columns arrive as BigInt; what does not fit a safe integer is refused rather than rounded. */
export function bigIntsToNumbers(row: Record<string, unknown>): void {
  for (const name in row) {
    const value = row[name]
    if (typeof value !== 'bigint') continue
    const number = Number(value)
    if (!Number.isSafeInteger(number)) throw new RangeError(`column ${name} holds a number that is too large`)
    row[name] = number
  }
}

/** A server that is frozen or cut off must not hold a request for ever. */
async function answered<T>(query: Promise<T>, withinMs: number, giveUp: () => void): Promise<T> {
  let timer: Timer | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      giveUp()
      reject(unavailable(new Error('the database did not answer')))
    }, withinMs)
  })
  try {
    return await Promise.race([query, late])
  } finally {
    clearTimeout(timer)
  }
}
