import {
  type ColumnDefinitionBuilder,
  type CreateTableBuilder,
  type Kysely,
  type RawBuilder,
  sql,
} from 'kysely'
import type { Engine } from '../engine.ts'

type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder
type Table = CreateTableBuilder<string, string>

/** One vocabulary of column types that means the same on the three engines. */
export interface Columns {
  /** Creates a table unless it is there: MySQL cannot undo a migration that stopped half-way. */
  table(name: string, build: (table: Table) => Table): Promise<void>
  /** The same for a table that is found by its own key alone: SQLite then keeps the rows in the key's order. */
  keyed(name: string, build: (table: Table) => Table): Promise<void>
  /** Adds a column unless MySQL has it from a migration that stopped half-way. */
  add(table: string, column: string, type: RawBuilder<unknown>, build: Column): Promise<void>
  index(name: string, table: string, columns: readonly string[], unique?: 'unique'): Promise<void>
  /** Unless it is gone already. */
  dropIndex(name: string, table: string): Promise<void>
  id(table: Table): Table
  integer: RawBuilder<unknown>
  flag: RawBuilder<unknown>
  text(length: number): RawBuilder<unknown>
  longText: RawBuilder<unknown>
  required: Column
  zero: Column
  blank: Column
}

export function columnsFor(engine: Engine, db: Kysely<unknown>): Columns {
  const integer = sql`bigint`
  // Equal strings are equal bytes on every engine; MySQL would otherwise fold case.
  const suffix = sql`engine = innodb default charset = utf8mb4 collate = utf8mb4_bin`
  const create = async (
    name: string,
    build: (table: Table) => Table,
    ending?: RawBuilder<unknown>,
  ): Promise<void> => {
    const table = build(db.schema.createTable(name).ifNotExists() as Table)
    await (ending ? table.modifyEnd(ending) : table).execute()
  }
  const whole = engine === 'mysql' ? suffix : undefined
  return {
    table: (name, build) => create(name, build, whole),
    keyed: (name, build) => create(name, build, engine === 'sqlite' ? sql`without rowid` : whole),
    async add(table, column, type, build) {
      if (engine === 'mysql' && (await mysqlHasColumn(db, table, column))) return
      await db.schema.alterTable(table).addColumn(column, type, build).execute()
    },
    async index(name, table, columns, unique) {
      if (engine === 'mysql' && (await mysqlHasIndex(db, table, name))) return
      let builder = db.schema
        .createIndex(name)
        .on(table)
        .columns([...columns])
      if (engine !== 'mysql') builder = builder.ifNotExists()
      await (unique ? builder.unique() : builder).execute()
    },
    async dropIndex(name, table) {
      if (engine !== 'mysql') await db.schema.dropIndex(name).ifExists().execute()
      else if (await mysqlHasIndex(db, table, name)) await db.schema.dropIndex(name).on(table).execute()
    },
    id(table) {
      if (engine === 'sqlite')
        return table.addColumn('id', 'integer', column => column.primaryKey().autoIncrement())
      if (engine === 'mysql')
        return table.addColumn('id', 'bigint', column => column.primaryKey().autoIncrement())
      return table.addColumn('id', 'bigint', column => column.primaryKey().generatedByDefaultAsIdentity())
    },
    integer,
    flag: sql`smallint`,
    text: length => sql.raw(`varchar(${length})`),
    longText: engine === 'mysql' ? sql`longtext` : sql`text`,
    required: column => column.notNull(),
    zero: column => column.notNull().defaultTo(0),
    blank: column => column.notNull().defaultTo(''),
  }
}

export async function mysqlHasIndex(db: Kysely<unknown>, table: string, name: string): Promise<boolean> {
  const found = await sql`
    select 1 from information_schema.statistics
    where table_schema = database() and table_name = ${table} and index_name = ${name} limit 1`.execute(db)
  return found.rows.length > 0
}

async function mysqlHasColumn(db: Kysely<unknown>, table: string, column: string): Promise<boolean> {
  const found = await sql`
    select 1 from information_schema.columns
    where table_schema = database() and table_name = ${table} and column_name = ${column} limit 1`.execute(db)
  return found.rows.length > 0
}
