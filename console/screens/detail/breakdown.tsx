import { useNavigate } from '@tanstack/react-router'
import { type MouseEvent, useCallback, useMemo } from 'react'
import type { StatisticsRow } from '../../../contract/statistics.ts'
import { useText } from '../../text.ts'
import { Callout } from '../../ui/content/callout.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { breakdownColumns, type Sorting, shareMeasure } from './breakdown-columns.tsx'
import { detailText } from './catalogue.ts'
import type { Measure, Pivot } from './choices.ts'
import styles from './detail.module.css'
import { type Display, type Figures, hasCosts, readFigure, showFigure, uncosted } from './figures.ts'
import { logAddress } from './log-address.ts'
import { nameSubject, pivotLabels } from './name-subject.ts'
import type { Period } from './period.ts'
import { coloursOf, pickKeys, rankRows } from './series.ts'

interface BreakdownProps {
  rows: readonly StatisticsRow[]
  /** All of them together. */
  whole: Figures
  truncated: boolean
  by: Pivot
  period: Period
  measure: Measure
  display: Display
  sorting: Sorting
}

/** Every subject of the period with all its figures; a row leads to its part of the log. */
export function Breakdown(props: BreakdownProps) {
  const { rows, whole: all, truncated, by, period, measure, display, sorting } = props
  const withCosts = hasCosts(all)
  const t = useText(detailText)
  const navigate = useNavigate()
  const sorted = useMemo(
    () => rankRows(rows, sorting.measure, display, sorting.ascending),
    [rows, sorting.measure, sorting.ascending, display],
  )
  const addressOf = useCallback(
    ({ key, name }: StatisticsRow) => logAddress(period, measure, { by, key, name }),
    [period, measure, by],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: sorting is its two values
  const columns = useMemo(() => {
    const shareOf = shareMeasure(measure)
    const figures = rows.map(row => readFigure(row, shareOf, display) ?? 0)
    // A call with two labels is in two rows: their sum is no whole.
    const whole =
      by === 'label'
        ? (readFigure(all, shareOf, display) ?? 0)
        : figures.reduce((sum, figure) => sum + figure, 0)
    const most = figures.reduce((top, figure) => Math.max(top, figure), 0)
    const colours = coloursOf(pickKeys(rows, measure, display), rows, display)
    return breakdownColumns({
      ...{ t, rows, by, display, withCosts, shareOf, whole, most, colours, sorting, addressOf },
    })
  }, [t, by, all, display, withCosts, measure, rows, sorting.measure, sorting.ascending, addressOf])
  const open = (row: StatisticsRow) => {
    const href = addressOf(row)
    if (href) navigate({ href }).catch(() => {})
  }
  // A press anywhere in a row does what its link does; whoever wants a new tab uses the link itself.
  const press = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || getSelection()?.isCollapsed === false) return
    const pressed = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null
    if (!pressed) return
    event.preventDefault()
    const row = sorted[Number(pressed.dataset.row)]
    if (row) open(row)
  }
  return (
    <section className={styles.section} aria-label={t('breakdown', { by: t(pivotLabels[by]) })}>
      <div className={styles.sectionHead}>
        <h2>{t('breakdown', { by: t(pivotLabels[by]) })}</h2>
        <span className={styles.hint}>
          {t('toLogs')}
          {by === 'label' && ` · ${t('labelsHint')}`}
        </span>
        {withCosts && <MarginHint whole={all} display={display} />}
      </div>
      {truncated && <Callout>{t('truncated')}</Callout>}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: rows have links and keys of their own */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter opens the row too */}
      <div className={styles.breakdown} onClick={press}>
        <DataTable
          label={t('breakdown', { by: t(pivotLabels[by]) })}
          columns={columns}
          rows={sorted}
          rowId={({ key }) => key}
          rowName={row => nameSubject(row, by, t)}
          dense
          onOpen={open}
          empty={null}
        />
      </div>
    </section>
  )
}

/** What is left over of everything, and of how much of it that cannot be said. */
function MarginHint({ whole, display }: { whole: Figures; display: Display }) {
  const t = useText(detailText)
  const cost = readFigure(whole, 'cost', display)
  const margin = readFigure(whole, 'margin', display) ?? 0
  const rest = uncosted(whole)
  const amount = showFigure(readFigure({ ...whole, quota: rest }, 'spend', display), 'spend', display)
  return (
    <span className={styles.hint}>
      {t('cost')} <b>{showFigure(cost, 'cost', display)}</b> · {t('margin')}{' '}
      <b data-bad={margin < 0 || undefined}>{showFigure(margin, 'margin', display)}</b>
      {rest > 0 && `* ${t('uncosted', { amount })}`}
    </span>
  )
}
