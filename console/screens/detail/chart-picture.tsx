import { axisLabels } from './axis-labels.ts'
import styles from './chart.module.css'
import { ChartLines } from './chart-lines.tsx'
import { BOTTOM, HEIGHT, type Scales, TOP } from './chart-scales.ts'
import type { Period } from './period.ts'
import { type Series, stackOf } from './series.ts'

const WIDEST_BAR = 48

interface ChartPictureProps {
  period: Period
  series: readonly Series[]
  stacked: boolean
  scales: Scales
  /** The bucket that is pointed at. */
  current: number | undefined
}

/** What is seen of a chart; what it says to others is said around it. */
export function ChartPicture({ period, series, stacked, scales, current }: ChartPictureProps) {
  const { width, room, step, begin, middle, y } = scales
  return (
    <svg width={width} height={HEIGHT} aria-hidden>
      <Grid {...scales} />
      {current !== undefined && (
        <rect
          className={styles.cursor}
          x={begin(current)}
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
      {axisLabels(period, room).map(({ at, text }) => (
        <text key={at} className={styles.tick} x={middle(at)} y={HEIGHT - 8} textAnchor="middle">
          {text}
        </text>
      ))}
    </svg>
  )
}

function Grid({ ticks, tickTexts, left, width, y, goesBelow }: Scales) {
  return ticks.map((tick, at) => (
    <g key={tick}>
      <path
        className={tick === 0 && goesBelow ? styles.ground : styles.grid}
        d={`M${left} ${Math.round(y(tick)) + 0.5}H${width}`}
      />
      <text className={styles.tick} x={left - 8} y={y(tick) + 4} textAnchor="end">
        {tickTexts[at]}
      </text>
    </g>
  ))
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
