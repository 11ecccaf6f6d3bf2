import { Database } from 'bun:sqlite'
import { SQL } from 'bun'

export type ForeignRow = Readonly<Record<string, unknown>>

/** Another program's database, which is read and never written. All that is read is of one moment. */
export interface ForeignDatabase {
  /** None where there is no such table. */
  columns(table: string): Promise<ReadonlySet<string>>
  /** Every row, some at a time, in the order of a column whose values are all different, or of two that are together. */
  rows(table: string, ...key: readonly [string, string?]): AsyncIterable<readonly ForeignRow[]>
  close(): Promise<void>
}

/** It could not be opened, or not read to its end. Says why, to whoever gave its address. */
export class ForeignUnreadable extends Error {
  override readonly name = 'ForeignUnreadable'
  constructor(cause: unknown) {
    super(reasonOf(cause), { cause })
  }
}

interface Connection {
  ask(text: string, values: readonly unknown[]): Promise<readonly ForeignRow[]>
  close(): Promise<void>
}

/** How an engine says what is asked of it. */
interface Words {
  readonly quote: string
  readonly placeholder: (at: number) => string
  /** The names of a table's columns. */
  readonly columns: string
}

const sqlite: Words = {
  quote: '"',
  placeholder: () => '?',
  columns: 'select name from pragma_table_info(?)',
}
const postgres: Words = {
  quote: '"',
  placeholder: at => `$${at}`,
  columns:
    'select column_name as name from information_schema.columns ' +
    'where table_schema = current_schema() and table_name = $1',
}
const mysql: Words = {
  quote: '`',
  placeholder: () => '?',
  columns:
    'select column_name as name from information_schema.columns ' +
    'where table_schema = database() and table_name = ?',
}

const ROWS_AT_ONCE = 500

/** A file of SQLite, or the address of a PostgreSQL or MySQL database. */
export async function openForeignDatabase(address: string): Promise<ForeignDatabase> {
  const url = asUrl(address)
  if (url === undefined) return readerOf(await orUnreadable(async () => openFile(address)), sqlite)
  const [begin, words] = url.startsWith('mysql:')
    ? ['start transaction with consistent snapshot, read only', mysql]
    : ['begin isolation level repeatable read read only', postgres]
  return readerOf(await orUnreadable(() => connect(url, begin)), words)
}

async function orUnreadable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw new ForeignUnreadable(error)
  }
}

/** A program that was killed while it wrote leaves the half of it, and beside it what was there before. */
function reasonOf(cause: unknown): string {
  if (cause instanceof Error && 'code' in cause && cause.code === 'SQLITE_READONLY_ROLLBACK')
    return 'its program was killed while it wrote: start that once more and stop it, which takes back what was half written'
  return cause instanceof Error ? cause.message : String(cause)
}

/** How programs written in Go name a MySQL database: `user:password@tcp(host:port)/name`, or `user@unix(socket)/name`. */
const goAddress = /^([^:@/]+)(?::(.*))?@(tcp|unix)\(([^)]+)\)\/([^?]+)(?:\?(.*))?/
/** What they call TLS: with a certificate that is good, with any, or where the server has it. */
const goTls: Readonly<Record<string, string>> = {
  true: 'verify-full',
  'skip-verify': 'require',
  preferred: 'prefer',
}

/** Whether this is the address of a database at a server; a file otherwise. */
export function isAddress(text: string): boolean {
  return asUrl(text) !== undefined
}

function asUrl(address: string): string | undefined {
  const go = goAddress.exec(address)
  if (go) {
    const [, user = '', password = '', by, at = '', name = '', query] = go
    const account = `mysql://${encodeURIComponent(user)}:${encodeURIComponent(password)}`
    const mode = goTls[new URLSearchParams(query).get('tls')?.toLowerCase() ?? '']
    if (by === 'tcp') return `${account}@${at}/${name}${mode ? `?sslmode=${mode}` : ''}`
    return `${account}@localhost/${name}?path=${encodeURIComponent(at)}`
  }
  if (/^(mysql|mariadb):\/\//.test(address)) return address.replace(/^mariadb:/, 'mysql:')
  return /^postgres(ql)?:\/\//.test(address) ? withoutPrisma(address) : undefined
}

const ofPrisma = new Set([
  ...['connection_limit', 'pool_timeout', 'connect_timeout', 'socket_timeout', 'statement_cache_size'],
  ...['pgbouncer', 'sslaccept', 'sslidentity', 'sslpassword', 'sslcert', 'single_use_connections'],
])

/** What stands behind the address for the library that LiteLLM reads with; a server would take it for its own settings. */
function withoutPrisma(address: string): string {
  const [place = '', query] = address.split('?', 2)
  if (query === undefined) return address
  const kept = [...new URLSearchParams(query)].flatMap(([name, value]): [string, string][] => {
    if (name === 'schema') return [['search_path', `"${value}"`]]
    return ofPrisma.has(name) ? [] : [[name, value]]
  })
  return kept.length === 0 ? place : `${place}?${new URLSearchParams(kept)}`
}

function openFile(path: string): Connection {
  const file = new Database(path, { readonly: true })
  file.run('begin')
  // The moment is that of the first read, and what is no database shows itself.
  file.query('select count(*) from sqlite_schema').get()
  return {
    ask: async (text, values) => file.query(text).all(...(values as string[])) as ForeignRow[],
    async close() {
      file.close()
    },
  }
}

async function connect(url: string, begin: string): Promise<Connection> {
  const sql = new SQL(url, { max: 1, bigint: true, connectionTimeout: 5 })
  const connection = await sql.reserve()
  await connection.unsafe(begin)
  return {
    ask: async (text, values) => (await connection.unsafe(text, [...values])) as ForeignRow[],
    async close() {
      connection.release()
      await sql.close()
    },
  }
}

function readerOf(connection: Connection, { quote, placeholder, columns }: Words): ForeignDatabase {
  const ask: Connection['ask'] = (...asked) => orUnreadable(() => connection.ask(...asked))
  const quoted = (name: string): string => `${quote}${name}${quote}`
  return {
    async columns(table) {
      const found = await ask(columns, [table])
      return new Set(found.map(({ name }) => String(name)))
    },
    async *rows(table, ...key) {
      const from = `select * from ${quoted(table)}`
      const columnsOfKey = key.filter(name => name !== undefined)
      const names = columnsOfKey.map(quoted).join(', ')
      const places = columnsOfKey.map((_, at) => placeholder(at + 1)).join(', ')
      const order = `order by ${names} limit ${ROWS_AT_ONCE}`
      let rows = await ask(`${from} ${order}`, [])
      while (rows.length > 0) {
        yield rows
        const last = rows.at(-1)
        rows = await ask(
          `${from} where (${names}) > (${places}) ${order}`,
          columnsOfKey.map(name => last?.[name]),
        )
      }
    },
    close: () => connection.close(),
  }
}
