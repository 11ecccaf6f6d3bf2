import type { ForeignRow } from '../../store/foreign-database.ts'

// A row of an older tool, whatever engine it comes from and whichever version wrote it: what is missing is
// blank, and a column goes by the first of its names that is there.

export function textOf(row: ForeignRow, ...names: string[]): string {
  // PostgreSQL has no NUL in text, and no engine half a surrogate pair.
  return asText(first(row, names)).replaceAll('\0', '').toWellFormed().trim()
}

/** Columns of bytes and of JSON hold text too, in databases that others have had their hands on. */
function asText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Uint8Array) return new TextDecoder().decode(value)
  return typeof value === 'object' && !(value instanceof Date) ? JSON.stringify(value) : String(value)
}

/** No longer than its column is. */
export function clippedOf(row: ForeignRow, most: number, ...names: string[]): string {
  return textOf(row, ...names)
    .slice(0, most)
    .toWellFormed()
}

export function integerOf(row: ForeignRow, ...names: string[]): number {
  const value = Math.trunc(Number(first(row, names) ?? 0))
  return Number.isSafeInteger(value) ? value : 0
}

/** Databases count on from the largest, and no number beyond the safe ones is told from the next. */
const LARGEST_ID = 2 ** 40

/** 0 for what is none, or cannot be one here. */
export function idOf(row: ForeignRow): number {
  const id = integerOf(row, 'id')
  return id > 0 && id <= LARGEST_ID ? id : 0
}

/** Money is never guessed: undefined when it is no amount that can be kept. */
export function amountOf(row: ForeignRow, name: string): number | undefined {
  const value = Number(row[name] ?? 0)
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

export function flagOf(row: ForeignRow, name: string): boolean {
  const value = row[name]
  return value === true || value === 1 || value === 1n || value === '1' || value === 'true'
}

/** When a row was deleted, in seconds since 1970; null while it is not. */
export function deletedAt(row: ForeignRow): number | null {
  const value = row.deleted_at
  if (value === null || value === undefined || value === '') return null
  const at = value instanceof Date ? value.getTime() : Date.parse(String(value).replace(' ', 'T'))
  return Number.isNaN(at) ? 0 : Math.floor(at / 1000)
}

function first(row: ForeignRow, names: readonly string[]): unknown {
  return row[names.find(name => row[name] !== undefined && row[name] !== null) ?? '']
}
