import { AppError } from '../errors.ts'

/** How many of a list are wanted. */
export function readLimit(text: string | null, usual: number, most: number): number {
  if (text === null) return usual
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= most) return limit
  throw new AppError('dialect.field', { field: 'limit', detail: `must be from 1 to ${most}` })
}

/** What is looked for. None of ours has a NUL, and not every database can be asked for one. */
export function readSought(query: URLSearchParams, name: string): string | null {
  const text = query.get(name)
  if (text?.includes('\0')) throw new AppError('dialect.field', { field: name, detail: 'is not one' })
  return text
}
