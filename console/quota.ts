import type { StatusDocument } from '../contract/system.ts'
import { formatCount } from './format.ts'

export type Display = Pick<StatusDocument, 'quota_per_unit' | 'display_in_currency'>

/** A balance as people read it: dollars, or plain units where the server shows units. */
export function formatQuota(quota: number, display: Display, digits = 2): string {
  if (!display.display_in_currency) return shortNumber(quota)
  const dollars = quota / display.quota_per_unit
  const least = 10 ** -digits
  // What is left, was used or is owed is not nothing.
  if (dollars > 0 && dollars < least / 2) return `<$${least.toFixed(digits)}`
  if (dollars < 0 && dollars > -least / 2) return `>-$${least.toFixed(digits)}`
  const text = amounts(digits).format(Math.abs(dollars))
  return dollars < 0 ? `-$${text}` : `$${text}`
}

const exact = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 12 })

/** To the last unit, for records: two amounts that differ are never shown as the same. */
export function formatExactly(quota: number, display: Display): string {
  if (!display.display_in_currency) return formatCount(quota)
  const text = exact.format(Math.abs(quota) / display.quota_per_unit)
  return quota < 0 ? `-$${text}` : `$${text}`
}

const known = new Map<number, Intl.NumberFormat>()

function amounts(digits: number): Intl.NumberFormat {
  let amount = known.get(digits)
  if (!amount) {
    amount = new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
    known.set(digits, amount)
  }
  return amount
}

/** Large numbers are shown with k from ten thousand on, then M, B and T. What rounds to a thousand of one is one of the next. */
export function shortNumber(value: number): string {
  const size = Math.abs(value)
  if (size >= 999_950_000_000) return `${(value / 1_000_000_000_000).toFixed(1)}T`
  if (size >= 999_950_000) return `${(value / 1_000_000_000).toFixed(1)}B`
  if (size >= 999_950) return `${(value / 1_000_000).toFixed(1)}M`
  return size >= 10_000 ? `${(value / 1000).toFixed(1)}k` : formatCount(value)
}
