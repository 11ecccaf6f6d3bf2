import { AppError } from '../errors.ts'

/** The id in a path. What cannot be one is answered like one that nobody has. */
export function readId({ id = '' }: Readonly<Record<string, string>>): number {
  if (!/^\d{1,15}$/.test(id)) throw new AppError('row.not-found')
  return Number(id)
}
