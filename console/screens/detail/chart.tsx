import { scaleBand, scaleLinear } from '@visx/scale'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useText } from '../../text.ts'
import { axisLabels } from './axis-labels.ts'
import { detailText } from './catalogue.ts'
import styles from './chart.module.css'
import { ChartLines } from './chart-lines.tsx'
import { ChartTip } from './chart-tip.tsx'
import type { Measure } from './choices.ts'
import { type Display, showFigure, showTicks } from './figures.ts'
import { nameBucket, type Period } from './period.ts'
import { OTHERS, reachOf, type Series, stackOf } from './series.ts'
import { useWidth } from './use-width.ts'

export interface ChartProps {
  label: string
  period: Period
  series: readonly Series[]
  measure: Measure
  /** Whether the series make up a whole: a call with two labels is in two of them. */
  adds: boolean
  display: Display
  nameOf(series: Series): string
  /** The log of one bucket, and of one subject in it. */
  open(bucket: number, series?: Series): void
}

const HEIGHT = 280
/** For the figures of the axis; those of a first hour have more digits than that. */
const LEAST_LEFT = 56
const DIGIT = 7
const TOP = 12
const BOTTOM = 28
const WIDEST_BAR = 48

/** Bars that stand on each other where figures add up, else lines. Arrow keys go through it as the pointer does. */
export function Chart({ label, period, series, measure, adds: stacked, display, nameOf, open }: ChartProps) {
  const t = useText(detailText)
  const [ref, width] = useWidth<HTMLDivElement>()
  const [at, setAt] = useState<number>()
  const { buckets } = period
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
  const band = scaleBand({ domain: buckets.map((_, index) => index), range: [left, left + room] })
  const step = band.bandwidth()
  const middle = (index: number) => (band(index) ?? 0) + step / 2
  const last = buckets.length - 1
  const current = at === undefined ? undefined : Math.min(at, last)
  const bucket = current === undefined ? undefined : buckets[current]

  const indexAt = (event: PointerEvent) =>
    Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - left) / step)
  const point = (event: PointerEvent) => {
    const index = indexAt(event)
    setAt(index >= 0 && index <= last ? index : undefined)
  }
  const press = (event: PointerEvent) => {
    const index = indexAt(event)
    const pressed = buckets[index]
    if (pressed === undefined) return
    const height = y.invert(event.clientY - event.currentTarget.getBoundingClientRect().top)
    const key = stacked
      ? stackOf(series, index).find(({ low, high }) => height >= low && height < high)?.key
      : OTHERS
    open(
      pressed,
      series.find(one => one.key === key && key !== OTHERS),
    )
  }
  const steer = (event: KeyboardEvent) => {
    const next = nextIndex(event.key, current ?? last, last)
    if (event.key === 'Enter' && bucket !== undefined) open(bucket)
    else if (event.key === 'Escape') setAt(undefined)
    else if (next === undefined) return
    else setAt(next)
    event.preventDefault()
  }
  const said =
    bucket === undefined ? '' : sayBucket({ period, series, measure, display, nameOf }, current ?? 0)
  return (
    <div className={styles.chart}>
      <div
        ref={ref}
        className={styles.plot}
        role="slider"
        tabIndex={0}
        aria-label={`${label}. ${t('chartHint')}`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={current ?? last}
        aria-valuetext={said}
        onFocus={event => event.currentTarget.matches(':focus-visible') && setAt(current ?? last)}
        onBlur={() => setAt(undefined)}
        onKeyDown={steer}
        onPointerMove={point}
        onPointerLeave={() => setAt(undefined)}
        onPointerUp={press}
      >
        {width > 0 && (
          <svg width={width} height={HEIGHT} aria-hidden>
            {ticks.map((tick, at) => (
              <g key={tick}>
                <path
                  className={tick === 0 && low < 0 ? styles.ground : styles.grid}
                  d={`M${left} ${Math.round(y(tick)) + 0.5}H${width}`}
                />
                <text className={styles.tick} x={left - 8} y={y(tick) + 4} textAnchor="end">
                  {tickTexts[at]}
                </text>
              </g>
            ))}
            {current !== undefined && (
              <rect
                className={styles.cursor}
                x={band(current)}
                y={TOP}
                width={step}
                height={HEIGHT - TOP - BOTTOM}
              />
            )}
            {stacked ? (
              series.map(({ key, colour }) => (
                <path
                  key={key}
                  fill={colour}
                  d={barsOf(series, key, { y, middle, width: Math.min(step * 0.72, WIDEST_BAR) })}
                />
              ))
            ) : (
              <ChartLines series={series} x={middle} y={y} />
            )}
            {axisLabels(period, room).map(tick => (
              <text
                key={tick.at}
                className={styles.tick}
                x={middle(tick.at)}
                y={HEIGHT - 8}
                textAnchor="middle"
              >
                {tick.text}
              </text>
            ))}
          </svg>
        )}
        {bucket !== undefined && current !== undefined && (
          <ChartTip
            title={nameBucket(bucket, period, true)}
            series={series}
            at={current}
            measure={measure}
            adds={stacked}
            display={display}
            nameOf={nameOf}
            left={middle(current)}
            flipped={middle(current) > width / 2}
          />
        )}
      </div>
    </div>
  )
}

interface Drawing {
  y(value: number): number
  middle(index: number): number
  readonly width: number
}

/** All bars of one series as one shape, a hairline apart from those nearer to nothing. */
function barsOf(series: readonly Series[], key: string, { y, middle, width }: Drawing): string {
  const buckets = series[0]?.values.length ?? 0
  let path = ''
  for (let at = 0; at < buckets; at++) {
    const segment = stackOf(series, at).find(one => one.key === key)
    if (!segment) continue
    const [top, bottom] = [y(segment.high), y(segment.low)]
    const isApart = bottom - top > 2
    const over = isApart && segment.high < 0 ? 1 : 0
    const under = isApart && segment.low > 0 ? 1 : 0
    const left = middle(at) - width / 2
    path += `M${left.toFixed(1)} ${(top + over).toFixed(1)}h${width.toFixed(1)}V${(bottom - under).toFixed(1)}h${(-width).toFixed(1)}z`
  }
  return path
}

function nextIndex(key: string, at: number, last: number): number | undefined {
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(0, at - 1)
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(last, at + 1)
  if (key === 'Home') return 0
  return key === 'End' ? last : undefined
}

function sayBucket(
  { period, series, measure, display, nameOf }: Omit<ChartProps, 'label' | 'adds' | 'open'>,
  at: number,
): string {
  const parts = series.flatMap(one => {
    const value = one.values[at] ?? null
    return value ? `${nameOf(one)} ${showFigure(value, measure, display)}` : []
  })
  return [nameBucket(period.buckets[at] ?? 0, period, true), ...parts].join(', ')
}
