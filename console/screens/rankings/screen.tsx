import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router'
import {
  type RankingMeasure,
  type RankingPeriod,
  rankingMeasures,
  rankingPeriods,
} from '../../../contract/ranking-choices.ts'
import { type Rankings as RankingsAnswer, rankingEndpoints } from '../../../contract/rankings.ts'
import { call } from '../../api.ts'
import { formatMinute } from '../../format.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { Segments } from '../../ui/fields/segments.tsx'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { Page } from '../../ui/page/page.tsx'
import { SettingsLink } from '../../ui/page/settings-link.tsx'
import { ScreenSkeleton, Skeleton } from '../../ui/page/skeleton.tsx'
import { State } from '../../ui/page/state.tsx'
import { Empty } from '../../ui/table/empty.tsx'
import { rankingsText } from './catalogue.ts'
import { isCompared, RankedList } from './ranked-list.tsx'
import styles from './rankings.module.css'
import type { RankingsSearch } from './route.ts'

// What each is called in the catalogue.
const periodWords = { day: 'day', week: 'week', month: 'month' } as const satisfies Record<
  RankingPeriod,
  string
>
const measureWords = { tokens: 'tokens', calls: 'calls' } as const satisfies Record<RankingMeasure, string>

function Rankings() {
  const t = useText(rankingsText)
  const status = useStatus()
  if (!status) return <ScreenSkeleton />
  if (!status.rankings_enabled)
    return (
      <State title={t('off')} actions={<SettingsLink section="operation.dashboard" />}>
        {t('offLead')}
      </State>
    )
  return <Ranked />
}

function Ranked() {
  const t = useText(rankingsText)
  const shell = useText(shellText)
  const navigate = useNavigate()
  const search = screen.useSearch()
  const { period = 'week', by = 'tokens' } = search
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['rankings', period, by],
    queryFn: ({ signal }) => call(rankingEndpoints.rankings, { signal, query: { period, by } }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  const show = (next: RankingsSearch) => {
    navigate({ to: '/rankings', search: { ...search, ...next }, replace: true }).catch(() => {})
  }
  return (
    <Page
      title={shell('nav.rankings')}
      lead={data ? t(isCompared(data) ? 'lead' : 'leadAlone', spanOf(data)) : '\u00a0'}
      actions={
        <div className={styles.choices}>
          <Segments<RankingPeriod>
            label={t('period')}
            value={period}
            options={rankingPeriods.map(value => ({ value, label: t(periodWords[value]) }))}
            onChange={value => show({ period: value })}
          />
          <Segments<RankingMeasure>
            label={t('by')}
            value={by}
            options={rankingMeasures.map(value => ({ value, label: t(measureWords[value]) }))}
            onChange={value => show({ by: value })}
          />
        </div>
      }
    >
      {error && <LoadFailure error={error} retry={() => refetch()} />}
      {!data && !error && <Skeleton rows={8} />}
      {data && <Lists rankings={data} isOlder={isPlaceholderData} />}
    </Page>
  )
}

function spanOf({ from, to }: RankingsAnswer) {
  return { from: formatMinute(from), to: formatMinute(to) }
}

function Lists({ rankings, isOlder }: { rankings: RankingsAnswer; isOlder: boolean }) {
  const t = useText(rankingsText)
  const { models, vendors } = rankings
  const compared = isCompared(rankings)
  if (models.length === 0) return <Empty title={t('few')}>{t('fewLead')}</Empty>
  return (
    <div className={styles.lists} aria-busy={isOlder}>
      <RankedList
        title={t('models')}
        compared={compared}
        entries={models.map(model => ({
          key: model.model_name,
          name: (
            <Link className={styles.model} to="/pricing" search={{ model: model.model_name }}>
              {model.model_name}
            </Link>
          ),
          note: model.owner_by,
          place: model,
        }))}
      />
      {vendors.length > 0 && (
        <RankedList
          title={t('vendors')}
          compared={compared}
          entries={vendors.map(vendor => ({ key: vendor.vendor, name: vendor.vendor, place: vendor }))}
        />
      )}
    </div>
  )
}

export const screen = createLazyRoute('/rankings')({ component: Rankings })
