/**
 * Rows that are kept carry their text with them, once it is written. A WeakMap would do, but the garbage collector
 * goes through all entries of one each time, while every stream waits.
 */
export const keptText = Symbol('kept text')

export class KeptText {
  /** What it was written by: what one call may tell, another may not. */
  schema: unknown
  text = ''
}

export function keptTextOf(row: unknown): KeptText | undefined {
  if (typeof row !== 'object' || row === null || !(keptText in row)) return undefined
  const kept = row[keptText]
  return kept instanceof KeptText ? kept : undefined
}
