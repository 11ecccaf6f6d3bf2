import { AppError } from '../errors.ts'

/** A whole number of quota, zero or more, that no arithmetic can spoil. Anything else is refused. */
export function checkAmount(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new AppError('ledger.amount')
  return value
}
