// What differs between the two sides of a record. No React in here.

import { formatTime } from '../../../format.ts'
import { type Display, formatExactly } from '../../../quota.ts'

type Values = Readonly<Record<string, unknown>>

const MASK = '******'
/** Fields that hold when something ends, in seconds. */
const times = new Set(['ends_at', 'expired_time'])
/** Fields that hold what may be spent; those of `limits` do too. */
const amounts = new Set(['quota', 'five_hour_quota', 'week_quota'])

export interface Change {
  /** '' where there is but one, and the subject names it already. */
  readonly field: string
  /** Undefined where there was nothing, or is nothing now. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Of settings that are tables, as prices are, the entries that differ and not the tables. */
export function changesOf(before: Values | null, after: Values | null, display?: Display): Change[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...names].flatMap(name => {
    const field = name === 'value' ? '' : name
    const [former, next] = [before?.[name], after?.[name]]
    const [formerTable, nextTable] = [readTable(former), readTable(next)]
    if (!formerTable || !nextTable) return differing(field, former, next, display)
    const entries = new Set([...Object.keys(formerTable), ...Object.keys(nextTable)])
    return [...entries].flatMap(entry =>
      differing([field, entry].filter(Boolean).join('.'), formerTable[entry], nextTable[entry], display),
    )
  })
}

function differing(field: string, former: unknown, next: unknown, display?: Display): Change[] {
  const change = { field, before: show(field, former, display), after: show(field, next, display) }
  // A secret looks the same before and after; that it is named tells that it was changed.
  return change.before === change.after && change.after !== MASK ? [] : [change]
}

/** A list of what may be spent within which while is a table too, by the while. */
function readTable(value: unknown): Values | undefined {
  if (Array.isArray(value) && value.every(isLimit))
    return Object.fromEntries(value.map(({ period, amount }) => [period, amount]))
  if (typeof value !== 'string' || !value.startsWith('{')) return undefined
  try {
    return JSON.parse(value) as Values
  } catch {
    // Cut off because it is very long.
    return undefined
  }
}

function isLimit(value: unknown): value is { period: string; amount: number } {
  return typeof value === 'object' && value !== null && 'period' in value && 'amount' in value
}

function show(field: string, value: unknown, display?: Display): string | undefined {
  if (value === undefined) return undefined
  if (times.has(field) && typeof value === 'number') return formatTime(value)
  if (display && isAmount(field) && typeof value === 'number') return formatExactly(value, display)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isAmount(field: string): boolean {
  return amounts.has(field) || field.startsWith('limits.')
}
