import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useText } from '../../text.ts'
import { detailText } from './catalogue.ts'
import styles from './chart.module.css'
import { ChartPicture } from './chart-picture.tsx'
import { scalesOf } from './chart-scales.ts'
import { ChartTip } from './chart-tip.tsx'
import type { Measure } from './choices.ts'
import { type Display, showFigure } from './figures.ts'
import { nameBucket, type Period } from './period.ts'
import { OTHERS, type Series, stackOf } from './series.ts'
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

/** Bars that stand on each other where figures add up, else lines. Arrow keys go through it as the pointer does. */
export function Chart({ label, period, series, measure, adds: stacked, display, nameOf, open }: ChartProps) {
  const t = useText(detailText)
  const [ref, width] = useWidth<HTMLDivElement>()
  const [at, setAt] = useState<number>()
  const { buckets } = period
  const scales = scalesOf({ period, series, measure, display, stacked }, width)
  const { y, left, step, middle } = scales
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
        {width > 0 && <ChartPicture {...{ period, series, stacked, scales, current }} />}
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
