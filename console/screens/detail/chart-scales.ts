import { scaleBand, scaleLinear } from '@visx/scale'
import type { Measure } from './choices.ts'
import { type Display, showTicks } from './figures.ts'
import type { Period } from './period.ts'
import { reachOf, type Series } from './series.ts'

export const HEIGHT = 280
export const TOP = 12
export const BOTTOM = 28
/** For the figures of the axis; those of a first hour have more digits than that. */
const LEAST_LEFT = 56
const DIGIT = 7

interface Charted {
  readonly period: Period
  readonly series: readonly Series[]
  readonly measure: Measure
  readonly display: Display
  readonly stacked: boolean
}

export type Scales = ReturnType<typeof scalesOf>

/** Where everything stands in a chart so many pixels wide. */
export function scalesOf({ period, series, measure, display, stacked }: Charted, width: number) {
  const [low, high] = reachOf(series, stacked)
  const y = scaleLinear<number>({
    domain: [low, high || (low < 0 ? 0 : 1)],
    range: [HEIGHT - BOTTOM, TOP],
    nice: 4,
  })
  const ticks = y.ticks(4)
  const tickTexts = showTicks(ticks, measure, display)
  const left = Math.max(LEAST_LEFT, 8 + DIGIT * Math.max(...tickTexts.map(text => text.length)))
  const room = Math.max(width - left, 1)
  const band = scaleBand({ domain: period.buckets.map((_, index) => index), range: [left, left + room] })
  const step = band.bandwidth()
  const begin = (index: number) => band(index) ?? 0
  const middle = (index: number) => begin(index) + step / 2
  return { width, left, room, step, begin, middle, y, ticks, tickTexts, goesBelow: low < 0 }
}
