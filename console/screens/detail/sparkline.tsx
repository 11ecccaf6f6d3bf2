import { LinePath } from '@visx/shape'
import styles from './detail.module.css'

const WIDTH = 120
const HEIGHT = 28

interface SparklineProps {
  values: readonly (number | null)[]
  /** The least that reaches the top, so that a small figure looks small. */
  most?: number
  /** Each figure for itself, where there may be hours without any. */
  bars?: boolean
}

/** The course of a figure, for those who see it; what it says stands beside it as text. */
export function Sparkline({ values, most = 0, bars = false }: SparklineProps) {
  const top = Math.max(most, ...values.map(value => value ?? 0)) || 1
  const y = (value: number) => HEIGHT - 2 - (value / top) * (HEIGHT - 4)
  const points = values.flatMap((value, at) => (value === null ? [] : { value, at }))
  const step = WIDTH / Math.max(1, bars ? values.length : values.length - 1)
  const [only] = points
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {bars ? (
        <>
          <path className={styles.sparklineGround} d={`M0 ${HEIGHT - 1}H${WIDTH}`} />
          <path
            className={styles.sparklineBars}
            d={points
              .filter(({ value }) => value > 0)
              .map(({ value, at }) => `M${at * step} ${HEIGHT}V${y(value)}h${step * 0.7}V${HEIGHT}z`)
              .join('')}
          />
        </>
      ) : points.length === 1 && only ? (
        <path className={styles.sparklinePath} d={`M${only.at * step} ${y(only.value)}h0.01`} />
      ) : (
        <LinePath
          className={styles.sparklinePath}
          data={points}
          x={({ at }) => at * step}
          y={({ value }) => y(value)}
        />
      )}
    </svg>
  )
}
