import type { CSSProperties } from 'react'
import { useText } from '../../text.ts'
import { detailText } from './catalogue.ts'
import styles from './chart.module.css'
import type { ChartProps } from './chart.tsx'
import { isAdditive, showFigure } from './figures.ts'

type ChartTipProps = Pick<ChartProps, 'series' | 'measure' | 'adds' | 'display' | 'nameOf'> & {
  title: string
  at: number
  left: number
  /** Stands to the left of the pointer. */
  flipped: boolean
}

export function ChartTip(props: ChartTipProps) {
  const { title, series, at, measure, adds, display, nameOf, left, flipped } = props
  const t = useText(detailText)
  const rows = series.flatMap(one => {
    const value = one.values[at] ?? null
    return value === null || (value === 0 && isAdditive(measure)) ? [] : { one, value }
  })
  const total = rows.reduce((sum, { value }) => sum + value, 0)
  return (
    <div
      className={styles.tip}
      data-flipped={flipped || undefined}
      style={{ '--tip-left': `${left}px` } as CSSProperties}
      aria-hidden
    >
      <p className={styles.tipTitle}>
        <span>{title}</span>
        {adds && <span>{showFigure(total, measure, display)}</span>}
      </p>
      {rows.map(({ one, value }) => (
        <p key={one.key} className={styles.tipRow}>
          <span className={styles.swatch} style={{ background: one.colour }} />
          <span className={styles.tipName}>{nameOf(one)}</span>
          <span>{showFigure(value, measure, display)}</span>
        </p>
      ))}
      {rows.length === 0 && <p className={styles.tipRow}>{t('noneHere')}</p>}
    </div>
  )
}
