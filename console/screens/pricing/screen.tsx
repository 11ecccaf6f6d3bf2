import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { type PricedModel, pricingEndpoints } from '../../../contract/pricing.ts'
import { roles } from '../../../contract/users.ts'
import { call } from '../../api.ts'
import { formatCount } from '../../format.ts'
import { OptionsMenu } from '../../lists/options-menu.tsx'
import { useListOptions } from '../../lists/use-list-options.ts'
import { ViewTabs } from '../../lists/view-tabs.tsx'
import { shellText } from '../../locales/catalogue.ts'
import { comparePrices, isPerCall } from '../../price-of.ts'
import { useTeam, useUser } from '../../session.ts'
import { useText } from '../../text.ts'
import { choiceFilter, FilterBar } from '../../ui/lists/filter-bar.tsx'
import { textFilter } from '../../ui/lists/search-box.tsx'
import { Page } from '../../ui/page/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Empty } from '../../ui/table/empty.tsx'
import { pricingText } from './catalogue.ts'
import { pricingColumns } from './columns.tsx'
import { GroupChoice } from './group-choice.tsx'
import { ModelDetail } from './model-detail.tsx'
import styles from './pricing.module.css'
import type { PriceSort, PricingSearch } from './route.ts'
import { sayOwnToolPrices, sayToolPrices, searchPriceOf } from './tool-prices.ts'

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
    () =>
      data?.data
        .filter(model => model.model_name.toLowerCase().includes(wanted))
        .filter(model => !search.owner || model.owner_by === search.owner)
        .filter(model => !search.billing || isPerCall(model) === (search.billing === 'calls'))
        // What the group can use comes first.
        .toSorted(
          (one, other) =>
            Number(other.enable_groups.includes(group)) - Number(one.enable_groups.includes(group)) ||
            (price ? comparePrices(one, other, price, dearest) : 0) ||
            one.model_name.localeCompare(other.model_name, 'en'),
        ),
    [data, wanted, group, search.owner, search.billing, price, dearest],
  )
  const clear = () => {
    setTyped('')
    return show({})
  }
  const tools = data ? sayToolPrices(data, groupRatio) : ''
  const options = useListOptions({ name: 'pricing', columns, search, show })
  const owners = useMemo(() => ownersOf(data?.data ?? []), [data])
  const filters = [
    textFilter('model', {
      main: true,
      label: t('search'),
      value: search.model ?? '',
      onType: setTyped,
      onSearch: model => {
        const { model: _, ...others } = search
        return show(model ? { ...others, model } : others)
      },
    }),
    choiceFilter('owner', {
      label: t('owner'),
      value: search.owner ?? '',
      options: [
        { value: '', label: t('allOwners') },
        ...owners.map(owner => ({ value: owner, label: owner })),
      ],
      onChange: owner => {
        const { owner: _, ...others } = search
        return show(owner ? { ...others, owner } : others)
      },
    }),
    choiceFilter('billing', {
      label: t('billing'),
      value: search.billing ?? '',
      options: [
        { value: '', label: t('allBilling') },
        { value: 'tokens', label: t('perToken') },
        { value: 'calls', label: t('perCall') },
      ],
      onChange: billing => {
        const { billing: _, ...others } = search
        return show(billing === 'tokens' || billing === 'calls' ? { ...others, billing } : others)
      },
    }),
  ]
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
      <FilterBar filters={filters} clear={search.model || search.owner || search.billing ? clear : undefined}>
        {rows && <span>{t('count', { count: formatCount(rows.length) })}</span>}
      </FilterBar>
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
        empty={
          data?.data.length === 0 ? (
            <Empty
              title={t('none')}
              actions={
                (user?.role ?? 0) >= roles.admin && (
                  <Button component={Link} to="/channel" size="xs">
                    {shell('nav.channel')}
                  </Button>
                )
              }
            >
              {t('noneLead')}
            </Empty>
          ) : (
            <Empty
              title={t('noMatches')}
              actions={
                <Button size="xs" variant="default" onClick={clear}>
                  {shell('filter.clear')}
                </Button>
              }
            />
          )
        }
      />
      {data && data.data.length > 0 && (
        <div className={styles.tools}>
          {tools !== '' && <p>{t('tools', { prices: tools })}</p>}
          {data.batch_ratio !== 1 && <p>{t('batch', { ratio: data.batch_ratio })}</p>}
          {data.inference_geo_ratio !== 1 && <p>{t('geo', { ratio: data.inference_geo_ratio })}</p>}
          {data.answer_cache_ratio !== undefined && <p>{t('kept', { ratio: data.answer_cache_ratio })}</p>}
        </div>
      )}
    </Page>
  )
}

function ownersOf(models: readonly PricedModel[]): string[] {
  const owners = new Set(models.map(({ owner_by }) => owner_by).filter(Boolean))
  return [...owners].toSorted((one, other) => one.localeCompare(other, 'en'))
}

export const screen = createLazyRoute('/pricing')({ component: Pricing })
