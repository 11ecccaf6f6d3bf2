import type { Schema } from '../schema.ts'

/** Many rows in one statement, said once and compiled for each engine. */
export interface Column {
  readonly name: string
  readonly type: 'integer' | 'text'
}
export type Cell = string | number | null

export interface BulkRead {
  readonly table: keyof Schema
  readonly key: Column
  /** Of a key of two columns the first, which is the same for all: a constant of those who use it. */
  readonly within?: { readonly column: string; readonly value: string }
  readonly columns: readonly string[]
  readonly values: readonly (string | number)[]
  /** Rows stay as they are until the batch commits. */
  readonly lock: boolean
}

export interface BulkWrite {
  /**
   * `insert` rows; `add` to columns of the row with this key; `set` them; add to a row that may not be there; or
   * `delete` rows, of which there is only the key, or its beginning.
   */
  readonly kind: 'insert' | 'add' | 'set' | 'upsert-add' | 'delete'
  readonly table: keyof Schema
  /** How many of the columns, from the left, are the key. */
  readonly keys: number
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
}

export interface Compiled {
  readonly sql: string
  /** What is bound each time it is run. */
  readonly runs: readonly (readonly Cell[])[]
  /** It finds rows by a list of any length. */
  readonly byList?: boolean
}

/** A condition of a read beside its key. It is written out: nobody but this program says it. */
export function within({ within: same }: BulkRead, quote: (name: string) => string): string {
  if (!same) return ''
  if (!/^[a-z-]+$/.test(same.value)) throw new Error(`${same.value} cannot be written out`)
  return `${quote(same.column)} = '${same.value}' and `
}

export const integer = (name: string): Column => ({ name, type: 'integer' })
export const text = (name: string): Column => ({ name, type: 'text' })

/** By the columns, which are constants of those who use them, and what is done to them; no table is named by two. */
const texts = new WeakMap<object, Map<string, string>>()

export function remember(write: BulkWrite, way: string, compose: () => string): string {
  return rememberText(write.columns, `${way} ${write.kind} ${write.table} ${write.keys}`, compose)
}

export function rememberText(columns: object, name: string, compose: () => string): string {
  const known = texts.get(columns) ?? new Map<string, string>()
  let sql = known.get(name)
  if (sql === undefined) {
    sql = compose()
    texts.set(columns, known.set(name, sql))
  }
  return sql
}
