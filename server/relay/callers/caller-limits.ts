import { isWindowOver } from '../../ledger/spending/window.ts'
import type { SpendLimits } from '../../store/ledger-schema.ts'

/** A limit of spending beside the row of whoever it is for: all is null where there is none. */
export interface LimitBeside {
  readonly limit_id: number | null
  readonly limit_amount: number | null
  readonly limit_spent: number | null
  readonly limit_period: SpendLimits['period'] | null
  readonly limit_ends_at: number | null
}

/** By which limits a caller is measured, and what may be spent of a balance as they stand. */
export function readSpending(
  rows: readonly LimitBeside[],
  balance: number,
  now: number,
): { readonly spendLimits: readonly number[] | undefined; readonly balance: number } {
  const spendLimits: number[] = []
  let left = balance
  for (const { limit_id, limit_amount, limit_spent, limit_period, limit_ends_at } of rows) {
    if (limit_id === null) continue
    spendLimits.push(limit_id)
    const isOver = isWindowOver(limit_period ?? 'none', limit_ends_at ?? 0, now)
    const room = (limit_amount ?? 0) - (isOver ? 0 : (limit_spent ?? 0))
    left = Math.min(left, Math.max(0, room))
  }
  return { spendLimits: spendLimits.length > 0 ? spendLimits : undefined, balance: left }
}
