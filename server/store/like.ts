import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Engine } from './engine.ts'

/** Not the backslash: inside a string the engines do not agree on what one is. */
const ESCAPE = '!'

/** Whether a column holds the text somewhere, whatever its case; the text is taken literally. */
export function contains(column: string, text: string, engine?: Engine): RawBuilder<SqlBool> {
  return like(column, `%${literal(text)}%`, engine)
}

/** Whether a column begins with the text. */
export function beginsWith(column: string, text: string, engine?: Engine): RawBuilder<SqlBool> {
  return like(column, `${literal(text)}%`, engine)
}

/** Whether a column ends with the text. */
export function endsWith(column: string, text: string, engine?: Engine): RawBuilder<SqlBool> {
  return like(column, `%${literal(text)}`, engine)
}

/** SQLite looks past case by itself, as far as its own `lower` would; where many rows are read that counts. */
function like(column: string, pattern: string, engine?: Engine): RawBuilder<SqlBool> {
  if (engine === 'sqlite') return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape ${sql.lit(ESCAPE)}`
  return sql<SqlBool>`lower(${sql.ref(column)}) like lower(${pattern}) escape ${sql.lit(ESCAPE)}`
}

function literal(text: string): string {
  return text.replace(/[!%_]/g, found => ESCAPE + found)
}

/** Whether a column that holds a comma-separated list has this item in it. */
export function listHolds(engine: Engine, column: string, item: string): RawBuilder<SqlBool> {
  const list = sql.ref(column)
  const wanted = `,${item},`
  switch (engine) {
    case 'sqlite':
      return sql<SqlBool>`instr(',' || ${list} || ',', ${wanted}) > 0`
    case 'postgres':
      return sql<SqlBool>`strpos(',' || ${list} || ',', ${wanted}) > 0`
    case 'mysql':
      return sql<SqlBool>`instr(concat(',', ${list}, ','), ${wanted}) > 0`
  }
}
