import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'

/**
 * Parts of names among a hundred thousand users or tokens. PostgreSQL reads a row slower than SQLite, but has an
 * index for parts of words: an extension that comes with it and that any owner of a database may switch on. Where
 * it is missing every row is looked at, as on the other engines.
 */
export async function textSearch(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine !== 'postgres') return
  await sql`do $$ begin
    create extension if not exists pg_trgm;
  exception when others then
    raise notice 'pg_trgm is not to be had: %', sqlerrm;
  end $$`.execute(db)
  const { rows } = await sql`select 1 from pg_extension where extname = 'pg_trgm'`.execute(db)
  if (rows.length === 0) return
  const words = (table: string, columns: readonly string[]) =>
    sql`create index if not exists ${sql.id(`${table}_words`)} on ${sql.id(table)} using gin (${sql.join(
      columns.map(column => sql`lower(${sql.ref(column)}) gin_trgm_ops`),
    )})`
  await words('users', ['username', 'email', 'display_name']).execute(db)
  await words('tokens', ['name']).execute(db)
}
