import { type InsertQueryBuilder, type Kysely, sql } from 'kysely'
import type { Engine } from './engine.ts'
import type { Schema } from './schema.ts'

/** For `$call` of an insert: rows whose keys are there already stay as they are. */
export function unlessThere(engine: Engine) {
  return <Table extends keyof Schema, Result>(insert: InsertQueryBuilder<Schema, Table, Result>) =>
    engine === 'mysql' ? insert.ignore() : insert.onConflict(clash => clash.doNothing())
}

/** Writes a row by its key whether or not it is there, on every engine. */
export async function putRow(
  db: Kysely<Schema>,
  engine: Engine,
  table: keyof Schema,
  key: Readonly<Record<string, string | number>>,
  values: Readonly<Record<string, string | number | null>>,
): Promise<void> {
  const row = { ...key, ...values }
  const columns = sql.join(Object.keys(row).map(name => sql.ref(name)))
  const bound = sql.join(Object.values(row))
  const set = sql.join(Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`))
  const clash =
    engine === 'mysql'
      ? sql`on duplicate key update`
      : sql`on conflict (${sql.join(Object.keys(key).map(name => sql.ref(name)))}) do update set`
  await sql`insert into ${sql.table(table)} (${columns}) values (${bound}) ${clash} ${set}`.execute(db)
}
