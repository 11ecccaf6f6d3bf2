import { axisLabels } from './axis-labels.ts'
import styles from './chart.module.css'
import type { ChartProps } from './chart.tsx'
import { ChartLines } from './chart-lines.tsx'
import { type ChartScales, frame } from './chart-scales.ts'
import { colourOf } from './colour-of.ts'
import { isAdditive, showTick } from './figures.ts'
import { type Series, stackOf } from './series.ts'

interface ChartPlotProps extends Pick<ChartProps, 'period' | 'series' | 'measure' | 'display'> {
  scales: ChartScales
  /** The bucket that is pointed at. */
  current: number | undefined
}

const WIDEST_BAR = 48

/** The drawing itself: figures, times, and bars or lines between them. */
export function ChartPlot({ scales, period, series, measure, display, current }: ChartPlotProps) {
  const { width, room, step, y, startOf, middleOf } = scales
  const { height, left, top, bottom } = frame
  return (
    <svg width={width} height={height} aria-hidden>
      {y.ticks(4).map(tick => (
        <g key={tick}>
          <path className={styles.grid} d={`M${left} ${Math.round(y(tick)) + 0.5}H${width}`} />
          <text className={styles.tick} x={left - 8} y={y(tick) + 4} textAnchor="end">
            {showTick(tick, measure, display)}
          </text>
        </g>
      ))}
      {current !== undefined && (
        <rect
          className={styles.cursor}
          x={startOf(current)}
          y={top}
          width={step}
          height={height - top - bottom}
        />
      )}
      {isAdditive(measure) ? (
        series.map(({ key }, index) => (
          <path key={key} fill={colourOf(index, key)} d={barsOf(series, key, scales)} />
        ))
      ) : (
        <ChartLines series={series} x={middleOf} y={y} />
      )}
      {axisLabels(period, room).map(tick => (
        <text key={tick.at} className={styles.tick} x={middleOf(tick.at)} y={height - 8} textAnchor="middle">
          {tick.text}
        </text>
      ))}
    </svg>
  )
}

/** All bars of one series as one shape, a hairline apart from those below. */
function barsOf(series: readonly Series[], key: string, { y, step, middleOf }: ChartScales): string {
  const width = Math.min(step * 0.72, WIDEST_BAR)
  const buckets = series[0]?.values.length ?? 0
  let path = ''
  for (let at = 0; at < buckets; at++) {
    const segment = stackOf(series, at).find(one => one.key === key)
    if (!segment) continue
    const [top, bottom] = [y(segment.high), y(segment.low)]
    const gap = segment.low > 0 && bottom - top > 2 ? 1 : 0
    const left = middleOf(at) - width / 2
    path += `M${left.toFixed(1)} ${top.toFixed(1)}h${width.toFixed(1)}V${(bottom - gap).toFixed(1)}h${(-width).toFixed(1)}z`
  }
  return path
}
