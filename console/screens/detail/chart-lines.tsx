import { LinePath } from '@visx/shape'
import styles from './chart.module.css'
import type { Series } from './series.ts'

interface ChartLinesProps {
  series: readonly Series[]
  x(index: number): number
  y(value: number): number
}

/** A line for each subject, with gaps where nothing happened and a dot where something did in between. */
export function ChartLines({ series, x, y }: ChartLinesProps) {
  return series.map(({ key, colour, values }) => {
    const points = values.map((value, at) => ({ value, at }))
    const dots = points.filter(
      ({ value, at }) =>
        value !== null && ((values[at - 1] ?? null) === null || (values[at + 1] ?? null) === null),
    )
    return (
      <g key={key} stroke={colour} fill={colour}>
        <LinePath
          className={styles.line}
          data={points}
          defined={({ value }) => value !== null}
          x={({ at }) => x(at)}
          y={({ value }) => y(value ?? 0)}
        />
        {dots.map(({ value, at }) => (
          <circle key={at} cx={x(at)} cy={y(value ?? 0)} r={2} stroke="none" />
        ))}
      </g>
    )
  })
}
