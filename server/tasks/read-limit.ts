import { refuseField } from '../dialects/refuse.ts'

/** How many of a list are wanted. */
export function readLimit(text: string | null, usual: number, most: number): number {
  if (text === null) return usual
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= most) return limit
  refuseField('limit', 'field.whole-within', { least: 1, most })
}
