import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { pricingEndpoints } from '../../../contract/pricing.ts'
import { call } from '../../api.ts'
import { formatCount } from '../../format.ts'
import { OptionsMenu } from '../../lists/options-menu.tsx'
import { useListOptions } from '../../lists/use-list-options.ts'
import { ViewTabs } from '../../lists/view-tabs.tsx'
import { shellText } from '../../locales/catalogue.ts'
import { useTeam, useUser } from '../../session.ts'
import { useText } from '../../text.ts'
import { Page } from '../../ui/page/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { pricingText } from './catalogue.ts'
import { pricingColumns } from './columns.tsx'
import { Filters } from './filters.tsx'
import { GroupChoice } from './group-choice.tsx'
import { ModelDetail } from './model-detail.tsx'
import { NoModels } from './no-models.tsx'
import { PriceNotes } from './price-notes.tsx'
import styles from './pricing.module.css'
import type { PriceSort, PricingSearch } from './route.ts'
import { sayOwnToolPrices, searchPriceOf } from './tool-prices.ts'
import { ownersOf, wantedModels } from './wanted-models.ts'

function Pricing() {
  const t = useText(pricingText)
  const shell = useText(shellText)
  const search = screen.useSearch()
  const navigate = useNavigate()
  const user = useUser()
  const team = useTeam()
  const { data, error, refetch } = useQuery({
    queryKey: ['pricing', user?.id, team?.id],
    queryFn: ({ signal }) =>
      call(pricingEndpoints.pricing, { signal, query: team ? { team: String(team.id) } : {} }),
    staleTime: 60_000,
  })
  const [typed, setTyped] = useState(search.model ?? '')
  // A view may bring another text with it.
  useEffect(() => setTyped(search.model ?? ''), [search.model])
  const wanted = useDeferredValue(typed.trim().toLowerCase())
  const group = search.group ?? (team ? data?.own_group : user?.group) ?? 'default'
  const groupRatio = data?.group_ratio[group] ?? 1
  const show = (next: PricingSearch) => navigate({ to: '/pricing', search: next, replace: true })
  const { price, dearest } = search
  // The cheapest first, then the dearest, then by name again.
  const columns = useMemo(() => {
    const { price: _, dearest: __, ...others } = search
    const next = (by: PriceSort): PricingSearch => {
      if (price !== by) return { ...others, price: by }
      return dearest ? others : { ...others, price: by, dearest: true }
    }
    return pricingColumns(t, group, groupRatio, by => ({
      order: price !== by ? undefined : dearest ? 'descending' : 'ascending',
      act: () => navigate({ to: '/pricing', search: next(by), replace: true }),
    }))
  }, [t, group, groupRatio, search, price, dearest, navigate])
  const rows = useMemo(
    () => data && wantedModels(data.data, wanted, group, search),
    [data, wanted, group, search],
  )
  const clear = () => {
    setTyped('')
    return show({})
  }
  const options = useListOptions({ name: 'pricing', columns, search, show })
  const owners = useMemo(() => ownersOf(data?.data ?? []), [data])
  return (
    <Page
      actions={<OptionsMenu options={options} />}
      title={shell('nav.pricing')}
      lead={user ? undefined : t('loggedOut')}
      wide
    >
      {!data && !error && <div className={`${styles.choice} ${styles.choices}`} />}
      {data && (
        <GroupChoice
          groups={data.usable_group}
          ratios={data.group_ratio}
          chosen={group}
          choose={name => show({ ...search, group: name })}
        />
      )}
      <ViewTabs options={options} />
      <Filters search={search} show={show} onType={setTyped} owners={owners} clear={clear}>
        {rows && <span>{t('count', { count: formatCount(rows.length) })}</span>}
      </Filters>
      <DataTable
        label={shell('nav.pricing')}
        columns={options.choice.visible}
        rows={rows}
        rowId={model => model.model_name}
        rowName={model => model.model_name}
        error={error}
        retry={refetch}
        expand={model => (
          <ModelDetail
            model={model}
            group={group}
            groupRatio={groupRatio}
            tools={data ? sayOwnToolPrices(model.model_name, data, groupRatio) : ''}
            search={
              data && model.always_searches ? searchPriceOf(model.model_name, data, groupRatio) : undefined
            }
          />
        )}
        muted={model => !model.enable_groups.includes(group)}
        empty={<NoModels filtered={data?.data.length !== 0} clear={clear} />}
      />
      {data && data.data.length > 0 && <PriceNotes pricing={data} groupRatio={groupRatio} />}
    </Page>
  )
}

export const screen = createLazyRoute('/pricing')({ component: Pricing })
