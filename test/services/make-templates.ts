// Makes what fresh databases are copies of: the tables of now, by the migrations, once for each server.

import { join } from 'node:path'
import { type Dialect, Kysely } from 'kysely'
import { BunSqlDialect, patience } from '../../server/store/bun-sql/bun-sql-dialect.ts'
import type { Engine } from '../../server/store/engine.ts'
import { migrate } from '../../server/store/migrations/index.ts'
import { SqliteDialect } from '../../server/store/sqlite/sqlite-dialect.ts'
import type { DatabaseServer } from './database-process.ts'
import { connected, createDatabase, isPostgres, runSql, STATEMENTS, TEMPLATE, within } from './templates.ts'

/** Into this folder; answers its path. */
export async function makeSqliteTemplate(folder: string): Promise<string> {
  const file = join(folder, `${TEMPLATE}.db`)
  await fill('sqlite', new SqliteDialect(file))
  return file
}

/** The same server, from which databases with tables can be had. */
export async function withTemplate(server: DatabaseServer): Promise<DatabaseServer> {
  const { url } = server
  const engine = isPostgres(url) ? 'postgres' : 'mysql'
  await runSql(url, createDatabase(url, TEMPLATE))
  const inside = within(url, TEMPLATE)
  await fill(engine, new BunSqlDialect(engine, inside, { withinMs: patience.longMs }))
  if (engine === 'mysql') await noteStatements(inside)
  return server
}

/** Tables alone: what an installation has of its own it gets when a store is opened on it. */
async function fill(engine: Engine, dialect: Dialect): Promise<void> {
  const db = new Kysely<unknown>({ dialect })
  try {
    await migrate(db, engine)
  } finally {
    await db.destroy()
  }
}

/** MariaDB copies no databases: what makes the tables and their rows again is kept in the template itself. */
async function noteStatements(template: string): Promise<void> {
  await connected(template, async sql => {
    const others = await sql.unsafe(
      `SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = '${TEMPLATE}' UNION ALL
       SELECT table_name FROM information_schema.tables
       WHERE table_schema = '${TEMPLATE}' AND table_type <> 'BASE TABLE'`,
    )
    if (others.length > 0) throw new Error('the template can copy tables only, and there is more')
    const statements = ['SET foreign_key_checks = 0']
    for (const [table] of await sql.unsafe('SHOW TABLES').values()) {
      const [[, statement]] = await sql.unsafe(`SHOW CREATE TABLE \`${table}\``).values()
      statements.push(statement)
      const [[rows]] = await sql.unsafe(`SELECT COUNT(*) FROM \`${table}\``).values()
      const copy = `INSERT INTO \`${table}\` SELECT * FROM \`${TEMPLATE}\`.\`${table}\``
      if (Number(rows) > 0) statements.push(copy)
    }
    await sql.unsafe(`CREATE TABLE ${STATEMENTS} (place INT PRIMARY KEY, statement LONGTEXT NOT NULL)`)
    for (const [place, statement] of statements.entries())
      await sql.unsafe(`INSERT INTO ${STATEMENTS} VALUES (?, ?)`, [place, statement])
  })
}
