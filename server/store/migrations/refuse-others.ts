import { Database } from 'bun:sqlite'
import { DEFAULT_MIGRATION_TABLE, type Kysely, sql, type TableMetadata } from 'kysely'
import type { Engine } from '../engine.ts'
import { refuseSessions } from './refuse-sessions.ts'

/** The database is another program's. */
export class OthersDatabase extends Error {
  override readonly name = 'OthersDatabase'
}

/** A new database has no place for what everybody writes. */
export class OtherEncoding extends Error {
  override readonly name = 'OtherEncoding'
}

/**
 * Who moves in may name the database of the tool they come from, where we would put our tables between its own:
 * MySQL takes none of that back, and LiteLLM drops what it does not know.
 */
export async function refuseOthers(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const isKnown = await isOurs(db)
  const owner = isKnown ? undefined : ownerOf(await tablesHere(db, engine))
  if (owner !== undefined) throw othersDatabase(owner)
  if (engine === 'postgres' && !isKnown) await refuseEncoding(db)
  if (engine === 'mysql') await refuseSessions(db, isKnown)
}

/**
 * The same of a file, before it is opened to be written: that alone switches it over to a log beside it, which another
 * program may not be allowed to write, and waits for whoever reads in it.
 */
export function refuseOthersFile(path: string): void {
  const owner = ownerOf(tablesOfFile(path))
  if (owner !== undefined) throw othersDatabase(owner)
}

function othersDatabase(owner: string): OthersDatabase {
  return new OthersDatabase(
    `it is a database of ${owner}, and nothing in it was changed: let DATABASE_URL name another, which is empty. ` +
      '`import` takes over what one-api, new-api and LiteLLM have.',
  )
}

/** None of one that is ours, is not there or cannot be read: what is wrong with it shows when it is opened. */
function tablesOfFile(path: string): readonly Table[] {
  let file: Database | undefined
  try {
    file = new Database(path, { readonly: true })
    const tables = file
      .query<{ name: string }, []>("select name from sqlite_schema where type = 'table'")
      .all()
    if (tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return []
    const columns = file.query<{ name: string }, [string]>('select name from pragma_table_info(?)')
    return tables.map(({ name }) => ({ name, columns: columns.all(name) }))
  } catch {
    return []
  } finally {
    file?.close()
  }
}

/** In MySQL tables have an encoding of their own. SQL_ASCII keeps whatever comes, byte by byte. */
async function refuseEncoding(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{
    encoding: string
  }>`select current_setting('server_encoding') as encoding`.execute(db)
  const encoding = rows[0]?.encoding ?? 'UTF8'
  if (['UTF8', 'SQL_ASCII'].includes(encoding)) return
  throw new OtherEncoding(
    `its encoding is ${encoding}, in which most languages cannot be written, and nothing in it was changed: ` +
      "create it anew, with template template0 encoding 'UTF8'",
  )
}

async function isOurs(db: Kysely<unknown>): Promise<boolean> {
  const steps = await sql`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} limit 1`
    .execute(db)
    // There is no such table: we have not been here.
    .catch(() => ({ rows: [] }))
  return steps.rows.length > 0
}

/** In PostgreSQL others may have tables of the same names beside ours, in a schema of their own. */
async function tablesHere(db: Kysely<unknown>, engine: Engine): Promise<readonly TableMetadata[]> {
  const tables = await db.introspection.getTables()
  if (engine !== 'postgres') return tables
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db)
  return tables.filter(table => table.schema === rows[0]?.schema)
}

type Table = Pick<TableMetadata, 'name'> & { readonly columns: readonly { readonly name: string }[] }

function ownerOf(tables: readonly Table[]): string | undefined {
  if (tables.some(({ name }) => name.startsWith('LiteLLM_'))) return 'LiteLLM'
  const users = tables.find(({ name }) => name === 'users')
  // A start of ours that was broken off has left this column too.
  if (users === undefined || users.columns.some(({ name }) => name === 'password_hash')) return undefined
  const isOfFamily = ['tokens', 'channels', 'options'].every(name =>
    tables.some(table => table.name === name),
  )
  return isOfFamily ? 'one-api or new-api' : 'another program'
}
