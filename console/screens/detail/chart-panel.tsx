import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useText } from '../../text.ts'
import { Segments } from '../../ui/fields/segments.tsx'
import { FilterSelect } from '../../ui/lists/filter-bar.tsx'
import { detailText } from './catalogue.ts'
import { Chart } from './chart.tsx'
import { ChartTable } from './chart-table.tsx'
import { type DetailSearch, type Measure, measures, type Pivot } from './choices.ts'
import styles from './detail.module.css'
import { type Display, hasCosts, isAdditive, isWait, needsCosts } from './figures.ts'
import { logAddress } from './log-address.ts'
import { nameSubject, pivotLabels } from './name-subject.ts'
import { NoLabels } from './no-labels.tsx'
import { stretchOf } from './period.ts'
import { buildSeries, type Series } from './series.ts'
import type { Shown } from './use-figures.ts'

interface ChartPanelProps {
  shown: Shown
  /** What is chosen; what is shown may still be of the choice before. */
  by: Pivot
  offered: readonly Pivot[]
  measure: Measure
  asTable: boolean
  display: Display
  change(search: DetailSearch): void
  chooseMeasure(measure: Measure): void
}

/** Letters. */
const SHORT = 12

/** One measure by one pivot over time, as a chart or as the table of the same figures. */
export function ChartPanel(props: ChartPanelProps) {
  const { shown, by, offered, measure, asTable, display, change, chooseMeasure } = props
  const t = useText(detailText)
  const navigate = useNavigate()
  const { period, rows, subjects } = shown
  const adds = isAdditive(measure) && shown.by !== 'label'
  const series = useMemo(
    () => buildSeries(rows, subjects, period.buckets, measure, display, adds),
    [rows, subjects, period, measure, display, adds],
  )
  const nameOf = (one: Series) => nameSubject(one, shown.by, t)
  const open = (bucket: number, one?: Series) => {
    const stretch = stretchOf(bucket, period)
    const subject = one && { by: shown.by, key: one.key, name: one.name }
    const href = logAddress(stretch, measure, subject) ?? logAddress(stretch, measure)
    if (href) navigate({ href }).catch(() => {})
  }
  const label = t('chartTitle', { measure: t(measure), by: t(pivotLabels[shown.by]) })
  const chart = { label, period, series, measure, adds, display, nameOf }
  return (
    <section className={styles.panel} aria-label={label}>
      <div className={styles.panelHead}>
        <FilterSelect
          label={t('measure')}
          value={measure}
          options={measures
            .filter(one => !needsCosts(one) || hasCosts(shown.now))
            .filter(one => by !== 'label' || !isWait(one))
            .map(one => ({ value: one, label: t(one) }))}
          onChange={chosen => chooseMeasure(measures.find(one => one === chosen) ?? 'spend')}
        />
        <FilterSelect
          label={t('by')}
          value={by}
          options={offered.map(one => ({ value: one, label: t(pivotLabels[one]) }))}
          onChange={chosen => {
            const next = offered.find(one => one === chosen)
            change({ by: next === 'model' ? undefined : next })
          }}
        />
        <span className={styles.grow} />
        <Segments
          label={t('view')}
          value={asTable ? 'table' : 'chart'}
          options={[
            { value: 'chart', label: t('chart') },
            { value: 'table', label: t('table') },
          ]}
          onChange={view => change({ view: view === 'table' ? 'table' : undefined })}
        />
      </div>
      {shown.by === 'label' && subjects.length === 0 ? (
        <NoLabels />
      ) : asTable ? (
        <ChartTable {...chart} />
      ) : (
        <>
          <Chart {...chart} open={open} />
          <ul className={styles.legend}>
            {series.map(one => (
              <li
                key={one.key}
                className={styles.subject}
                data-short={nameOf(one).length <= SHORT || undefined}
              >
                <span className={styles.swatch} style={{ background: one.colour }} />
                <span className={styles.legendName} title={nameOf(one)}>
                  {nameOf(one)}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
