import { AppError } from '../../errors.ts'

/** The id in an address; what cannot be one belongs to nobody. */
export function readId({ id = '' }: Readonly<Record<string, string>>): number {
  if (!/^\d{1,15}$/.test(id)) throw new AppError('row.not-found')
  return Number(id)
}
