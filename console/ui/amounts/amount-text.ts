import { type Display, shortNumber } from '../../quota.ts'

/** A balance in few letters, for columns: exact to a hundredth of a million. */
export function shortQuota(quota: number, display: Display): string {
  if (!display.display_in_currency) return shortNumber(quota)
  const dollars = Math.abs(quota / display.quota_per_unit)
  const [unit, letter] = units.find(([least]) => dollars >= least * 0.999_995) ?? [1, '']
  return `${quota < 0 ? '-' : ''}$${(dollars / unit).toFixed(2)}${letter}`
}

const units = [
  [1_000_000_000_000, 'T'],
  [1_000_000_000, 'B'],
  [1_000_000, 'M'],
  [1000, 'k'],
] as const
