import { AppError } from '../errors.ts'

const codes: readonly string[] = [
  'ledger.user-quota',
  'ledger.token-quota',
  'ledger.member-limit',
  'ledger.member-limit-until',
  'ledger.spend-limit',
  'ledger.spend-limit-until',
]

/** A call was refused because there is not enough money for it, or too little of it may be spent. */
export function isShortOfQuota(error: unknown): boolean {
  return error instanceof AppError && codes.includes(error.code)
}
