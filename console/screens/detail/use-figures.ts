import { useQueries } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import type { StatisticsRow } from '../../../contract/statistics.ts'
import type { Pivot } from './choices.ts'
import { type Figures, noFigures } from './figures.ts'
import type { Period } from './period.ts'
import { statisticsQuery } from './statistics-query.ts'

export interface Shown {
  readonly by: Pivot
  readonly period: Period
  readonly now: Figures
  readonly before: Figures
  readonly trend: readonly StatisticsRow[]
  readonly rows: readonly StatisticsRow[]
  readonly subjects: readonly StatisticsRow[]
  readonly truncated: boolean
}

/** All that the screen draws. Figures of another choice stay, all together, until those of this one are there. */
export function useFigures(wholeSite: boolean, by: Pivot, period: Period) {
  const { from, to, previous, unit, offset } = period
  const found = useQueries({
    queries: [
      statisticsQuery(wholeSite, { by: 'none', unit: 'all', from, to, offset }),
      statisticsQuery(wholeSite, { by: 'none', unit: 'all', ...previous, offset }),
      statisticsQuery(wholeSite, { by: 'none', unit, from, to, offset }),
      statisticsQuery(wholeSite, { by, unit, from, to, offset }),
      statisticsQuery(wholeSite, { by, unit: 'all', from, to, offset }),
    ],
  })
  const [now, before, trend, rows, subjects] = found.map(({ data }) => data)
  const fresh = useMemo((): Shown | undefined => {
    if (!now || !before || !trend || !rows || !subjects) return undefined
    return {
      by,
      period,
      now: now.rows[0] ?? noFigures,
      before: before.rows[0] ?? noFigures,
      trend: trend.rows,
      rows: rows.rows,
      subjects: subjects.rows,
      truncated: rows.truncated || subjects.truncated,
    }
  }, [now, before, trend, rows, subjects, by, period])
  const last = useRef(fresh)
  if (fresh) last.current = fresh
  return {
    shown: fresh ?? last.current,
    fetching: !fresh,
    error: found.find(({ error }) => error !== null)?.error,
    retry: () => Promise.all(found.filter(({ error }) => error).map(({ refetch }) => refetch())),
  }
}
