/** `closing` while calls are folded, however often that is broken off; `closed` for good. */
export const monthStates = { closing: 'closing', closed: 'closed' } as const

/** Months are UTC's: every node and every day of summer time agrees on where one ends. `2026-01`. */
export function monthOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 7)
}

/** The first second after it. */
export function endOf(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return Date.UTC(year, number) / 1000
}

export function nextMonth(month: string): string {
  return monthOf(endOf(month))
}

/** From which second on everything is kept: so many whole months, and the one that runs. */
export function keptSince(now: number, months: number): number {
  const at = new Date(now * 1000)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - months) / 1000
}

/** Ids of calls begin with the time they were made: all before this one are older. */
export function firstIdOf(seconds: number): string {
  const hex = Math.max(0, seconds * 1000)
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`
}
