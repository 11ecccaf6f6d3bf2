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
  readonly colour: string
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
  const size = (row: StatisticsRow) => Math.abs(readFigure(row, measure, display) ?? 0)
  const ranked = rankRows(totals, additive ? measure : 'requests', display)
  if (!additive) return ranked.slice(0, most)
  // A loss is as big as a gain.
  return ranked
    .filter(row => size(row) > 0)
    .toSorted((one, other) => size(other) - size(one))
    .slice(0, most)
}

/**
 * Whoever is among those that spent most has the same colour whatever is measured; the others have what is left.
 * The palette is in detail.module.css.
 */
export function coloursOf(
  picked: readonly StatisticsRow[],
  totals: readonly StatisticsRow[],
  display: Display,
): Map<string, string> {
  const spenders = rankRows(totals, 'spend', display)
    .slice(0, MOST_SERIES)
    .map(({ key }) => key)
  const isPicked = new Set(picked.map(({ key }) => key))
  const free = Array.from({ length: MOST_SERIES }, (_, at) => at).filter(
    at => !isPicked.has(spenders[at] ?? ''),
  )
  return new Map(
    picked.map(({ key }) => {
      const own = spenders.indexOf(key)
      return [key, `var(--series-${(own < 0 ? (free.shift() ?? 0) : own) + 1})`]
    }),
  )
}

export const OTHERS_COLOUR = 'var(--series-others)'

export function buildSeries(
  rows: readonly StatisticsRow[],
  totals: readonly StatisticsRow[],
  buckets: readonly number[],
  measure: Measure,
  display: Display,
  /** Whether what is left over can be added up. */
  adds = isAdditive(measure),
): Series[] {
  const picked = pickKeys(totals, measure, display)
  const places = new Map(buckets.map((bucket, at) => [bucket, at]))
  const empty = isAdditive(measure) ? 0 : null
  const colours = coloursOf(picked, totals, display)
  const series = new Map(
    picked.map(({ key, name }) => {
      const colour = colours.get(key) ?? OTHERS_COLOUR
      return [key, { key, name, colour, values: buckets.map((): number | null => empty) }]
    }),
  )
  const others = { key: OTHERS, name: '', colour: OTHERS_COLOUR, values: buckets.map((): number | null => 0) }
  let hasOthers = false
  for (const row of rows) {
    const at = places.get(row.time)
    if (at === undefined) continue
    const value = readFigure(row, measure, display)
    const own = series.get(row.key)
    if (own) own.values[at] = value
    else if (adds && value) {
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

/** What stands on what in one bar; what is below nothing hangs from it. */
export function stackOf(series: readonly Series[], at: number): Segment[] {
  let [top, bottom] = [0, 0]
  return series.flatMap(({ key, values }) => {
    const value = values[at] ?? 0
    if (value === 0) return []
    const [low, high] = value > 0 ? [top, top + value] : [bottom + value, bottom]
    if (value > 0) top = high
    else bottom = low
    return [{ key, low, high }]
  })
}

/** From the lowest to the highest that is drawn, with nothing in between or at an end. */
export function reachOf(series: readonly Series[], stacked: boolean): [low: number, high: number] {
  const ends = stacked
    ? (series[0]?.values ?? []).flatMap((_, at) =>
        stackOf(series, at).flatMap(({ low, high }) => [low, high]),
      )
    : series.flatMap(({ values }) => values.map(value => value ?? 0))
  return ends.reduce(([low, high], end) => [Math.min(low, end), Math.max(high, end)], [0, 0])
}
