/** One SQLite connection on a thread of its own, so that neither fsync nor a long read stalls the event loop. */

import { Database, type SQLQueryBindings, type Statement } from 'bun:sqlite'
import { setPriority } from 'node:os'
import type { Decision, Row } from '../batch/batch.ts'
import type { Compiled } from '../batch/bulk.ts'
import { compileRead, compileWrites } from '../batch/compile.ts'
import { type FileMarks, markFiles, proveSame } from './same-file.ts'
import type { ThreadReply, ThreadRequest, ThreadResult, ThreadRole } from './thread-protocol.ts'

declare const self: Worker

type Decides<Argument> = Pick<Decision<Argument, unknown>, 'reads' | 'decide'>

const STATEMENTS = 300
const NICENESS = 10
/** How long files are taken for the same once they were looked at. */
const PROVEN_FOR_MS = 50
/** Cells that cross over at once: the event loop reads as many in a millisecond. */
const CELLS_AT_ONCE = 4000
/** Rows of the query that is being answered which have not crossed over yet. */
let left: Record<string, unknown>[] = []
let database: Database | undefined
let provenAt = Number.NEGATIVE_INFINITY
let files: { readonly path: string; marks: FileMarks } | undefined
const statements = new Map<string, Statement>()

function prepare(sql: string): Statement {
  const known = statements.get(sql)
  if (known) {
    statements.delete(sql)
    statements.set(sql, known)
    return known
  }
  if (!database) throw new Error('the database is not open')
  const made = database.prepare(sql)
  statements.set(sql, made)
  if (statements.size > STATEMENTS) {
    const [oldest] = statements.keys()
    if (oldest !== undefined) {
      statements.get(oldest)?.finalize()
      statements.delete(oldest)
    }
  }
  return made
}

function run(sql: string, parameters: readonly unknown[]): ThreadResult {
  const statement = prepare(sql)
  const bindings = parameters as SQLQueryBindings[]
  if (statement.columnNames.length > 0) {
    const rows = statement.all(...bindings) as Record<string, unknown>[]
    for (const row of rows) refuseInexact(row)
    left = rows
    return nextRows()
  }
  const { changes, lastInsertRowid } = statement.run(...bindings)
  return { rows: [], changes, lastId: Number(lastInsertRowid) }
}

/** Thousands of rows in portions, between which the event loop has others' work to do. */
function nextRows(): ThreadResult {
  const columns = Object.keys(left[0] ?? {}).length
  const many = Math.ceil(CELLS_AT_ONCE / Math.max(columns, 1))
  const rows = left.length > many ? left.slice(0, many) : left
  left = left.length > many ? left.slice(many) : []
  return { rows, changes: 0, lastId: 0, ...(left.length > 0 && { more: true }) }
}

/** Those rows that are there, key by key: to take a list apart costs more than to look once more. */
function findEach({ sql, runs }: Compiled): Row[] {
  const statement = prepare(sql)
  const found: Row[] = []
  for (const [key = null] of runs) {
    const row = statement.get(key) as Row | null
    if (!row) continue
    refuseInexact(row)
    found.push(row)
  }
  return found
}

/** One transaction, with nothing to wait for between its first statement and its last. */
function decide(decision: Decides<unknown>, argument: unknown): string {
  prepare('begin immediate').run()
  try {
    const found = decision.reads(argument).map(read => findEach(compileRead('sqlite', read)))
    const { writes, result } = decision.decide(found, argument)
    for (const { sql, runs } of compileWrites('sqlite', writes)) {
      const statement = prepare(sql)
      for (const parameters of runs) statement.run(...(parameters as SQLQueryBindings[]))
    }
    prepare('commit').run()
    return JSON.stringify(result)
  } catch (error) {
    rollBack()
    throw error
  }
}

/** Some failures have rolled back already. */
function rollBack(): void {
  try {
    prepare('rollback').run()
  } catch {}
}

/** A 64-bit number that JavaScript cannot hold exactly is refused rather than rounded. */
function refuseInexact(row: Record<string, unknown>): void {
  for (const name in row) {
    const value = row[name]
    if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
      throw new RangeError(`column ${name} holds a number that is too large`)
  }
}

const WAL_PATIENCE_MS = 5000

/**
 * Of several that open a new file at once only one can switch it over, and SQLite lets the others wait for nothing.
 * For who reads in it, it waits by itself, each time anew.
 */
function enterWal(opened: Database): void {
  for (const began = performance.now(); ; ) {
    try {
      opened.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      const isBusy = (error as { code?: string }).code === 'SQLITE_BUSY'
      if (!isBusy || performance.now() - began > WAL_PATIENCE_MS) throw error
      Bun.sleepSync(10)
    }
  }
}

/**
 * Not in the middle of a transaction, which is to end either way, nor before each of many: to look takes a tenth of a
 * small commit, and what is written meanwhile has the fate of all that was written before.
 */
function proveFiles(): void {
  if (!files || database?.inTransaction) return
  const now = performance.now()
  if (now - provenAt < PROVEN_FOR_MS) return
  files.marks = proveSame(files.path, files.marks)
  provenAt = now
}

function open(path: string, role: ThreadRole, marks?: FileMarks): void {
  if (marks) proveSame(path, marks)
  database = new Database(path, role === 'reader' ? { readonly: true } : { create: true, readwrite: true })
  database.exec('pragma busy_timeout = 5000')
  // A long list or sum gives way to the relay where there are fewer cores than work. Zero is this thread alone.
  if (role !== 'writer' && process.platform === 'linux') setPriority(0, NICENESS)
  if (role === 'writer') {
    enterWal(database)
    database.exec('pragma foreign_keys = on')
    database.exec('pragma journal_size_limit = 67108864')
    // Only where the thread that is there for it could not keep up.
    database.exec('pragma wal_autocheckpoint = 16000')
  }
  if (role !== 'reader') database.exec('pragma synchronous = full')
  // A search reads a whole table; what fits is read from the file once.
  database.exec(`pragma cache_size = ${role === 'reader' ? -16000 : -4000}`)
  database.exec('pragma temp_store = memory')
  files = { path, marks: marks ?? markFiles(path) }
}

function answer(request: ThreadRequest, decision: Decides<unknown> | undefined): ThreadReply {
  const { id } = request
  try {
    switch (request.kind) {
      case 'open':
        open(request.path, request.role, request.marks)
        return { id, ok: true, result: { rows: [], changes: 0, lastId: 0 } }
      case 'query':
        proveFiles()
        return { id, ok: true, result: run(request.sql, request.parameters) }
      case 'more':
        return { id, ok: true, result: nextRows() }
      case 'decide': {
        if (!decision) throw new Error('this thread decides nothing')
        proveFiles()
        const decided = decide(decision, request.argument)
        return { id, ok: true, result: { rows: [], changes: 0, lastId: 0, decided } }
      }
      case 'close':
        for (const statement of statements.values()) statement.finalize()
        statements.clear()
        database?.close()
        return { id, ok: true, result: { rows: [], changes: 0, lastId: 0 } }
    }
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string }
    return { id, ok: false, code, message }
  }
}

/** Rows cross over as one text: cloned value by value, the event loop has half as much again to do. */
function written(reply: ThreadReply): ThreadReply | string {
  return reply.ok && reply.result.rows.length > 0 ? JSON.stringify(reply) : reply
}

/** Answers requests from now on. `decision` is what it can decide by itself. */
export function serveSqlite<Argument>(decision?: Decides<Argument>): void {
  self.onmessage = event => {
    const request: unknown = typeof event.data === 'string' ? JSON.parse(event.data) : event.data
    self.postMessage(written(answer(request as ThreadRequest, decision as Decides<unknown> | undefined)))
  }
}
