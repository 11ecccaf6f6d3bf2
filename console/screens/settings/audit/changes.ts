// What differs between the two sides of a record. No React in here.

import { formatTime } from '../../../format.ts'
import { type Display, formatExactly } from '../../../quota.ts'
import type { NameValue } from './field-values.ts'

type Values = Readonly<Record<string, unknown>>

const MASK = '******'
/** Fields that hold a point in time, in seconds; `before` is what a log was cleared up to. */
const times = new Set(['before', 'created_at', 'ends_at', 'expired_time', 'other_info.status_time'])
/** Fields that hold quota; those of `limits` and of single tools do too. */
const amounts = new Set([
  'five_hour_quota',
  'price',
  'quota',
  'quota_warning_threshold',
  'taken',
  'week_quota',
])

export interface Change {
  /** '' where there is but one, and the subject names it already. */
  readonly field: string
  /** Undefined where there was nothing, or is nothing now. */
  readonly before: string | undefined
  readonly after: string | undefined
}

interface Telling {
  readonly display?: Display | undefined
  /** Where the first side says, besides what was changed, of what: that is no longer the less afterwards. */
  readonly namesSubject?: boolean
  /** What people call a value, where that is not how it is kept. */
  readonly nameValue?: NameValue
}

/** Of settings that are tables, as prices are, the entries that differ and not the tables. */
export function changesOf(before: Values | null, after: Values | null, telling: Telling = {}): Change[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const stayed = names.filter(name => telling.namesSubject && after && !Object.hasOwn(after, name))
  const changed = names.filter(name => !stayed.includes(name))
  return [...changed.flatMap(changesIn), ...stayed.map(whatStayed)]

  function whatStayed(name: string): Change {
    const value = show(name, before?.[name], telling)
    return { field: name, before: value, after: value }
  }

  function changesIn(name: string): Change[] {
    const field = name === 'value' ? '' : name
    const [former, next] = [before?.[name], after?.[name]]
    const [formerTable, nextTable] = readTables(former, next)
    if (!formerTable || !nextTable) return differing(field, former, next, telling)
    const entries = new Set([...Object.keys(formerTable), ...Object.keys(nextTable)])
    return [...entries].flatMap(entry =>
      differing([field, entry].filter(Boolean).join('.'), formerTable[entry], nextTable[entry], telling),
    )
  }
}

function differing(field: string, former: unknown, next: unknown, telling: Telling): Change[] {
  const change = { field, before: show(field, former, telling), after: show(field, next, telling) }
  // A secret looks the same before and after; that it is named tells that it was changed.
  return change.before === change.after && change.after !== MASK ? [] : [change]
}

/** Where there is nothing on one side, the other's table was made, or given up, entry by entry. */
function readTables(former: unknown, next: unknown): [Values | undefined, Values | undefined] {
  const [formerTable, nextTable] = [readTable(former), readTable(next)]
  return [formerTable ?? noneBeside(former, nextTable), nextTable ?? noneBeside(next, formerTable)]
}

function noneBeside(value: unknown, other: Values | undefined): Values | undefined {
  return other && (value ?? '') === '' ? {} : undefined
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

function show(field: string, value: unknown, { display, nameValue }: Telling): string | undefined {
  if (value === undefined) return undefined
  const name = nameValue?.(field, value)
  if (name !== undefined) return name
  if (times.has(field) && typeof value === 'number') return formatTime(value)
  if (display && isAmount(field) && typeof value === 'number') return formatExactly(value, display)
  if (Array.isArray(value) && value.every(item => typeof item !== 'object')) return value.join(', ')
  // What was taken off.
  if (value === null) return ''
  if (field === 'tools' && typeof value === 'string') return value.split('\n').join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isAmount(field: string): boolean {
  return amounts.has(field) || /^(limits|tool_prices)\./.test(field)
}
