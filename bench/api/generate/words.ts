import type { Engine } from '../../../server/store/engine.ts'

/** So many numbers from one on, as the column `i` of `n`. */
export function series(engine: Engine, first: number, many: number): string {
  const last = first + many - 1
  if (engine === 'postgres') return `with n(i) as (select generate_series(${first}::bigint, ${last}::bigint))`
  // MariaDB has a table of every such row, and ends what refers to itself after a thousand.
  if (engine === 'mysql') return `with n(i) as (select cast(seq as signed) from seq_${first}_to_${last})`
  return `with recursive n(i) as (select ${first} union all select i + 1 from n where i < ${last})`
}

export function hex(engine: Engine, value: string, digits: number): string {
  if (engine === 'sqlite') return `printf('%0${digits}x', ${value})`
  return engine === 'mysql'
    ? `lpad(lower(hex(${value})), ${digits}, '0')`
    : `lpad(to_hex(${value}), ${digits}, '0')`
}

/** Numbers are divided without a rest everywhere but in MySQL, where the sign for that is a word. */
export function whole(engine: Engine, text: string): string {
  return engine === 'mysql' ? text.replaceAll(' / ', ' div ') : text
}
