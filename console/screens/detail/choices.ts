import { readChoice, readInteger } from '../../search-params.ts'

export const spans = ['24h', '7d', '30d'] as const
export type SpanId = (typeof spans)[number]
export const units = ['hour', 'day', 'week'] as const
export type Unit = (typeof units)[number]
/** The first four are also what users may sort their own calls by. */
export const pivots = ['model', 'token', 'group', 'label', 'user', 'channel'] as const
export type Pivot = (typeof pivots)[number]
export const ownPivots: readonly Pivot[] = pivots.slice(0, 4)
export const measures = [
  'spend',
  'cost',
  'margin',
  'requests',
  'tokens',
  'errors',
  'latency50',
  'latency95',
  'first50',
  'first95',
] as const
export type Measure = (typeof measures)[number]

/** What the address says; the usual is left out of it. */
export interface DetailSearch {
  span?: SpanId
  /** Seconds since 1970, instead of a span. */
  start?: number
  end?: number
  unit?: Unit
  by?: Pivot
  measure?: Measure
  view?: 'table'
  sort?: Measure
  order?: 'asc'
}

export function readDetailSearch(search: Readonly<Record<string, unknown>>): DetailSearch {
  const { start } = readInteger(search, 'start')
  const { end } = readInteger(search, 'end')
  return {
    ...readChoice(search, 'span', spans),
    ...(start !== undefined && start > 0 ? { start } : {}),
    ...(end !== undefined && end > 0 ? { end } : {}),
    ...readChoice(search, 'unit', units),
    ...readChoice(search, 'by', pivots),
    ...readChoice(search, 'measure', measures),
    ...readChoice(search, 'view', ['table']),
    ...readChoice(search, 'sort', measures),
    ...readChoice(search, 'order', ['asc']),
  }
}
