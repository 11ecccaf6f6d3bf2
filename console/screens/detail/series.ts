import type { StatisticsRow } from '../../../contract/statistics.ts'
import type { Measure } from './choices.ts'
import { type Display, type Figures, isAdditive, noFigures, readFigure } from './figures.ts'

/** As many as the palette has colours. */
export const MOST_SERIES = 7
/** Lines cross: more of them cannot be followed. */
const MOST_LINES = 5
export const OTHERS = '\0others'

export interface Series {
  /** `OTHERS` for all that have no series of their own. */
  readonly key: string
  readonly name: string
  /** One for each bucket. */
  readonly values: readonly (number | null)[]
}

/** The subjects of the period, the biggest first. */
export function rankRows(
  rows: readonly StatisticsRow[],
  measure: Measure,
  display: Display,
  ascending = false,
): StatisticsRow[] {
  const figure = (row: StatisticsRow) => readFigure(row, measure, display)
  return rows.toSorted((one, other) => {
    const [a, b] = [figure(one), figure(other)]
    // Those without a figure come last, whichever way it goes.
    if (a === null || b === null)
      return Number(a === null) - Number(b === null) || other.requests - one.requests
    return (ascending ? a - b : b - a) || other.requests - one.requests || (one.key < other.key ? -1 : 1)
  })
}

/** Whom the chart tells apart: by size where sizes add up, else those that are used most. */
export function pickKeys(
  totals: readonly StatisticsRow[],
  measure: Measure,
  display: Display,
): StatisticsRow[] {
  const additive = isAdditive(measure)
  const most = additive ? MOST_SERIES : MOST_LINES
  const ranked = rankRows(totals, additive ? measure : 'requests', display)
  return ranked.filter(row => (readFigure(row, measure, display) ?? 0) > 0 || !additive).slice(0, most)
}

export function buildSeries(
  rows: readonly StatisticsRow[],
  totals: readonly StatisticsRow[],
  buckets: readonly number[],
  measure: Measure,
  display: Display,
): Series[] {
  const picked = pickKeys(totals, measure, display)
  const places = new Map(buckets.map((bucket, at) => [bucket, at]))
  const empty = isAdditive(measure) ? 0 : null
  const series = new Map(
    picked.map(({ key, name }) => [key, { key, name, values: buckets.map((): number | null => empty) }]),
  )
  const others = { key: OTHERS, name: '', values: buckets.map((): number | null => 0) }
  let hasOthers = false
  for (const row of rows) {
    const at = places.get(row.time)
    if (at === undefined) continue
    const value = readFigure(row, measure, display)
    const own = series.get(row.key)
    if (own) own.values[at] = value
    else if (isAdditive(measure) && value) {
      others.values[at] = (others.values[at] ?? 0) + value
      hasOthers = true
    }
  }
  return [...series.values(), ...(hasOthers ? [others] : [])]
}

/** The whole of each bucket. */
export function trendOf(
  rows: readonly StatisticsRow[],
  buckets: readonly number[],
  measure: Measure,
  display: Display,
): (number | null)[] {
  const figures = new Map<number, Figures>(rows.map(row => [row.time, row]))
  return buckets.map(bucket => readFigure(figures.get(bucket) ?? noFigures, measure, display))
}

export interface Segment {
  readonly key: string
  readonly low: number
  readonly high: number
}

/** What stands on what in one bar. */
export function stackOf(series: readonly Series[], at: number): Segment[] {
  let low = 0
  return series.flatMap(({ key, values }) => {
    const value = values[at] ?? 0
    if (value <= 0) return []
    const segment = { key, low, high: low + value }
    low = segment.high
    return [segment]
  })
}

export function highest(series: readonly Series[], stacked: boolean): number {
  const buckets = series[0]?.values.length ?? 0
  const tops = Array.from({ length: buckets }, (_, at) =>
    stacked
      ? (stackOf(series, at).at(-1)?.high ?? 0)
      : Math.max(0, ...series.map(({ values }) => values[at] ?? 0)),
  )
  return Math.max(0, ...tops)
}
