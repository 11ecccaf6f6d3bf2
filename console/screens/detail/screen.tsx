import { createLazyRoute, useNavigate } from '@tanstack/react-router'
import { Suspense, useMemo } from 'react'
import type { StatusDocument } from '../../../contract/system.ts'
import { roles } from '../../../contract/users.ts'
import { shellText } from '../../locales/catalogue.ts'
import { hasPanels } from '../../navigation.ts'
import { useUser } from '../../session.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { lazyPart } from '../../ui/page/lazy-part.ts'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { Page } from '../../ui/page/page.tsx'
import { SettingsLink } from '../../ui/page/settings-link.tsx'
import { ScreenSkeleton } from '../../ui/page/skeleton.tsx'
import { State } from '../../ui/page/state.tsx'
import { Breakdown } from './breakdown.tsx'
import { detailText } from './catalogue.ts'
import { ChartPanel } from './chart-panel.tsx'
import { type DetailSearch, type Measure, ownPivots, pivots } from './choices.ts'
import styles from './detail.module.css'
import { type Display, hasCosts, isWait, needsCosts } from './figures.ts'
import { FiguresSkeleton } from './figures-skeleton.tsx'
import { Health } from './health.tsx'
import { NoFigures } from './no-figures.tsx'
import { readPeriod } from './period.ts'
import { Rankings } from './rankings.tsx'
import { Tiles } from './tiles.tsx'
import { Toolbar } from './toolbar.tsx'
import { UnpricedHint } from './unpriced-hint.tsx'
import { useFigures } from './use-figures.ts'

const Panels = lazyPart(() => {
  // Draws what they say: asked for with them, not after them.
  import('../../ui/content/render-rich-content.ts').catch(() => {})
  return import('./panels/panels.tsx')
})
const HOUR_MS = 3_600_000

function Detail() {
  const t = useText(detailText)
  const shell = useText(shellText)
  const status = useStatus()
  if (!status) return <ScreenSkeleton />
  if (status.enable_data_export) return <Dashboard status={status} />
  if (!hasPanels(status))
    return (
      <State title={t('disabled')} actions={<SettingsLink section="operation.dashboard" />}>
        {t('disabledLead')}
      </State>
    )
  return (
    <Page title={shell('nav.detail')} wide>
      <Suspense>
        <Panels status={status} />
      </Suspense>
    </Page>
  )
}

function Dashboard({ status }: { status: StatusDocument }) {
  const display: Display = status
  const usual = status.data_export_default_time
  const t = useText(detailText)
  const shell = useText(shellText)
  const search = screen.useSearch()
  const navigate = useNavigate({ from: '/detail' })
  const role = useUser()?.role ?? 0
  const wholeSite = role >= roles.admin
  const offered = wholeSite ? pivots : ownPivots
  const by = offered.find(one => one === search.by) ?? 'model'
  const { span, start, end, unit } = search
  const hour = Math.floor(Date.now() / HOUR_MS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new hour is a new period
  const period = useMemo(
    () => readPeriod({ span, start, end, unit }, usual),
    [span, start, end, unit, usual, hour],
  )
  const { shown, fetching, error, retry } = useFigures(wholeSite, by, period)
  const { measure: wanted } = search
  const isUntold =
    wanted !== undefined &&
    ((needsCosts(wanted) && shown !== undefined && !hasCosts(shown.now)) ||
      (by === 'label' && isWait(wanted)))
  const measure = (isUntold ? undefined : wanted) ?? 'spend'
  const change = (next: DetailSearch) => {
    navigate({ to: '/detail', search: before => ({ ...before, ...next }), replace: true }).catch(() => {})
  }
  const chooseMeasure = (next: Measure) => change({ measure: next === 'spend' ? undefined : next })
  const sorting = {
    measure: search.sort ?? (search.measure === undefined ? 'spend' : measure),
    ascending: search.order === 'asc',
    sort: (next: Measure) =>
      change({ sort: next, order: next === sorting.measure && !sorting.ascending ? 'asc' : undefined }),
  }
  return (
    <Page
      title={shell('nav.detail')}
      wide
      lead={
        <>
          <span className={styles.lead}>{wholeSite ? t('leadSite') : t('leadOwn')}</span>
          {role >= roles.root && <UnpricedHint />}
        </>
      }
      actions={<Toolbar period={period} change={change} />}
    >
      <div className={styles.screen} data-fetching={(fetching && shown !== undefined) || undefined}>
        {error && <LoadFailure error={error} retry={retry} />}
        {!shown && !error && <FiguresSkeleton />}
        {shown && shown.now.requests === 0 && (
          <NoFigures wholeSite={wholeSite} offset={period.offset} change={change} />
        )}
        {shown && shown.now.requests > 0 && (
          <>
            <Tiles
              now={shown.now}
              before={shown.before}
              trend={shown.trend}
              buckets={shown.period.buckets}
              display={display}
              measure={measure}
              choose={chooseMeasure}
            />
            <ChartPanel
              shown={shown}
              by={by}
              offered={offered}
              measure={measure}
              asTable={search.view === 'table'}
              display={display}
              change={change}
              chooseMeasure={chooseMeasure}
            />
          </>
        )}
        {hasPanels(status) && (
          <Suspense>
            <Panels status={status} />
          </Suspense>
        )}
        <Rankings
          {...{ by, offered, period, measure, wholeSite, display, change }}
          ready={shown !== undefined && shown.now.requests > 0}
        />
        {shown && shown.now.requests > 0 && !(shown.by === 'label' && shown.subjects.length === 0) && (
          <Breakdown
            rows={shown.subjects}
            whole={shown.now}
            truncated={shown.truncated}
            by={shown.by}
            period={shown.period}
            measure={measure}
            display={display}
            sorting={sorting}
          />
        )}
        {wholeSite && <Health ready={shown !== undefined || error !== undefined} />}
      </div>
    </Page>
  )
}

export const screen = createLazyRoute('/detail')({ component: Detail })
