import { useText } from '../../text.ts'
import { detailText } from './catalogue.ts'
import styles from './chart.module.css'
import type { ChartProps } from './chart.tsx'
import { dollarDigits, isAdditive, isMoney, showFigure } from './figures.ts'
import { nameBucket } from './period.ts'

/** The same figures as the chart, to read instead of to see. */
export function ChartTable(props: Omit<ChartProps, 'open'>) {
  const { label, period, series, measure, adds, display, nameOf } = props
  const t = useText(detailText)
  const additive = isAdditive(measure)
  const digits = isMoney(measure) ? dollarDigits(series.flatMap(({ values }) => values)) : undefined
  const newestFirst = period.buckets.map((bucket, at) => ({ bucket, at })).reverse()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className={styles.tableFrame} tabIndex={0}>
      <table className={styles.table}>
        <caption className={styles.caption}>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{t('time')}</th>
            {adds && <th scope="col">{t('total')}</th>}
            {series.map(one => (
              <th key={one.key} scope="col">
                <span className={styles.swatch} style={{ background: one.colour }} />
                <span className={styles.columnName} title={nameOf(one)}>
                  {nameOf(one)}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {newestFirst.map(({ bucket, at }) => (
            <tr key={bucket}>
              <th scope="row">{nameBucket(bucket, period, true)}</th>
              {adds && (
                <td className={styles.sum}>
                  {showFigure(
                    series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
                    measure,
                    display,
                    digits,
                  )}
                </td>
              )}
              {series.map(({ key, values }) => {
                const value = (additive ? values[at] || null : values[at]) ?? null
                return (
                  <td key={key} data-none={value === null || undefined}>
                    {showFigure(value, measure, display, digits)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
