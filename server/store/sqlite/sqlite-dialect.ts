import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { Checkpoints } from './checkpoints.ts'
import { ReaderPool } from './reader-pool.ts'
import { type FileMarks, markFiles } from './same-file.ts'
import { SqliteThread } from './thread-client.ts'
import type { ThreadResult } from './thread-protocol.ts'

/** SQLite's DDL is transactional: a migration happens whole or not at all, and only in one process. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Reads go to the reader threads; writes and transactions take turns on the one writer thread. */
export class SqliteDialect implements Dialect {
  readonly driver: SqliteDriver
  constructor(path: string) {
    this.driver = new SqliteDriver(path)
  }
  createDriver = (): Driver => this.driver
  createAdapter = () => new TransactionalSqliteAdapter()
  createQueryCompiler = () => new SqliteQueryCompiler()
  createIntrospector = (db: Kysely<unknown>) => new SqliteIntrospector(db)
}

export class SqliteDriver implements Driver {
  readonly #path: string
  readonly #readers: ReaderPool
  readonly #checkpoints: Checkpoints
  #writer: SqliteThread | undefined
  #marks: FileMarks | undefined
  /** Ends when the present holder of the writer thread is done. */
  #turn: Promise<void> = Promise.resolve()

  constructor(path: string) {
    this.#path = path
    this.#readers = new ReaderPool(path, () => this.#marks)
    this.#checkpoints = new Checkpoints(
      path,
      () => this.#marks,
      sql => this.#inTurn(sql),
    )
  }

  async init(): Promise<void> {
    this.#writer = await SqliteThread.open(this.#path, 'writer')
    this.#marks = markFiles(this.#path)
  }

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this)
  }
  async releaseConnection(): Promise<void> {}

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    const release = await this.takeTurn()
    try {
      await this.writer.query('begin immediate')
      connection.endTurn = release
    } catch (error) {
      release()
      throw error
    }
  }

  commitTransaction(connection: SqliteConnection): Promise<void> {
    return this.#finish(connection, 'commit')
  }

  rollbackTransaction(connection: SqliteConnection): Promise<void> {
    return this.#finish(connection, 'rollback')
  }

  async destroy(): Promise<void> {
    await this.#checkpoints.close()
    await this.#readers.close()
    await this.#writer?.close()
  }

  get writer(): SqliteThread {
    if (!this.#writer) throw new Error('the database is not open')
    return this.#writer
  }

  /** For who has the turn: the writer, on a thread of this file. A plain one gives its place to it. */
  async writerOn(file: URL): Promise<SqliteThread> {
    const { writer } = this
    if (writer.file.href === file.href) return writer
    const able = await SqliteThread.open(this.#path, 'writer', { file, marks: this.#marks })
    this.#writer = able
    await writer.close()
    return able
  }

  read(sql: string, parameters: readonly unknown[]): Promise<ThreadResult> {
    return this.#readers.query(sql, parameters)
  }

  async takeTurn(): Promise<() => void> {
    const before = this.#turn
    let end = (): void => {}
    this.#turn = new Promise(resolve => {
      end = resolve
    })
    await before
    return () => {
      end()
      this.#checkpoints.noteCommit()
    }
  }

  async #inTurn(sql: string): Promise<void> {
    const release = await this.takeTurn()
    try {
      await this.writer.query(sql)
    } finally {
      release()
    }
  }

  async #finish(connection: SqliteConnection, how: 'commit' | 'rollback'): Promise<void> {
    try {
      await this.writer.query(how)
    } catch (error) {
      // A commit that failed (disk full) leaves the transaction open; an automatic rollback leaves none.
      if (how === 'commit') await this.writer.query('rollback').catch(() => {})
      else if (!/no transaction is active/.test(String(error))) throw error
      if (how === 'commit') throw error
    } finally {
      connection.endTurn?.()
      connection.endTurn = undefined
    }
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #driver: SqliteDriver
  /** Set while this connection is inside a transaction and so owns the writer thread. */
  endTurn: (() => void) | undefined

  constructor(driver: SqliteDriver) {
    this.#driver = driver
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, changes, lastId } = await this.#run(query)
    const isInsert = query.query.kind === 'InsertQueryNode'
    return {
      rows: rows as R[],
      numAffectedRows: BigInt(changes),
      ...(isInsert && rows.length === 0 ? { insertId: BigInt(lastId) } : {}),
    }
  }

  // biome-ignore lint/correctness/useYield: Kysely asks for a generator; this product pages by key instead.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('page by key instead of streaming')
  }

  async #run(query: CompiledQuery): Promise<ThreadResult> {
    if (this.endTurn) return this.#driver.writer.query(query.sql, query.parameters)
    if (isRead(query)) return this.#driver.read(query.sql, query.parameters)
    const release = await this.#driver.takeTurn()
    try {
      return await this.#driver.writer.query(query.sql, query.parameters)
    } finally {
      release()
    }
  }
}

function isRead(query: CompiledQuery): boolean {
  return query.query.kind === 'SelectQueryNode' || /^\s*select\b/i.test(query.sql)
}
