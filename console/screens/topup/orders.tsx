import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { logTypes } from '../../../contract/log-types.ts'
import type { StatusDocument } from '../../../contract/system.ts'
import { roles } from '../../../contract/users.ts'
import { type TopUpView, topUpStatuses, walletEndpoints } from '../../../contract/wallet.ts'
import { call } from '../../api.ts'
import { formatMinute } from '../../format.ts'
import { OptionsMenu } from '../../lists/options-menu.tsx'
import { useListOptions } from '../../lists/use-list-options.ts'
import { ViewTabs } from '../../lists/view-tabs.tsx'
import { usePageSize } from '../../page-size.ts'
import { formatExactly } from '../../quota.ts'
import { useUser } from '../../session.ts'
import { useStatus } from '../../status.ts'
import { type TranslateOf, useText } from '../../text.ts'
import { Tag } from '../../ui/content/tag.tsx'
import { choiceFilter, FilterBar } from '../../ui/lists/filter-bar.tsx'
import { NoMatches } from '../../ui/lists/no-matches.tsx'
import { Pager } from '../../ui/lists/pager.tsx'
import { textFilter } from '../../ui/lists/search-box.tsx'
import { useLastPage } from '../../ui/lists/use-last-page.ts'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Empty } from '../../ui/table/empty.tsx'
import { topUpText } from './catalogue.ts'
import { priceText } from './price-text.ts'
import type { TopUpSearch } from './route.ts'
import styles from './topup.module.css'

/** Orders for online top-ups: one's own, and for administrators everyone's. */
export function Orders({ search }: { search: TopUpSearch }) {
  const t = useText(topUpText)
  const status = useStatus()
  const navigate = useNavigate()
  const isAdmin = (useUser()?.role ?? 0) >= roles.admin
  const isAll = isAdmin && search.orders === 'all'
  const [pageSize, setPageSize] = usePageSize()
  const { p = 1, keyword = '' } = search
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['top-ups', { isAll, p, keyword, pageSize }],
    queryFn: ({ signal }) =>
      call(isAll ? walletEndpoints.allTopUps : walletEndpoints.ownTopUps, {
        query: { p, page_size: pageSize, keyword },
        signal,
      }),
    placeholderData: keepPreviousData,
  })
  useLastPage({
    page: p,
    pageSize,
    total: data?.total ?? 0,
    count: isPlaceholderData ? undefined : data?.items.length,
  })
  const columns = useMemo(() => orderColumns(t, status, isAll), [t, status, isAll])
  const show = (next: TopUpSearch) => navigate({ to: '/topup', search: next, resetScroll: false })
  const options = useListOptions({ name: 'orders', columns, search, show })
  const findOrder = (text: string) => {
    const { keyword: _, p: __, ...others } = search
    return show(text ? { ...others, keyword: text } : others)
  }
  const filters = [
    textFilter('keyword', {
      label: t('orderNumber'),
      value: keyword,
      onSearch: findOrder,
    }),
    ...(isAdmin
      ? [
          choiceFilter('orders', {
            label: t('whose'),
            value: isAll ? 'all' : '',
            options: [
              { value: '', label: t('ownOrders') },
              { value: 'all', label: t('allOrders') },
            ],
            onChange: value => show(value === 'all' ? { orders: 'all' } : {}),
          }),
        ]
      : []),
  ]
  return (
    <section className={styles.orders} aria-labelledby="orders-title">
      <div className={styles.ordersHead}>
        <h2 id="orders-title">{t('orders')}</h2>
        {/* Codes and gifts are no orders; the log has every credit. */}
        <Link className={styles.credits} to="/log" search={{ type: logTypes.topUp, start: 0 }}>
          {t('credits')}
        </Link>
        <OptionsMenu options={options} />
      </div>
      <ViewTabs options={options} />
      <FilterBar filters={filters} />
      <DataTable
        label={t('orders')}
        columns={options.choice.visible}
        rows={data?.items}
        rowId={({ id }) => id}
        rowName={order => order.trade_no}
        total={data?.total ?? 0}
        fetching={isPlaceholderData}
        error={error}
        retry={refetch}
        empty={
          keyword ? (
            <NoMatches title={t('noMatches')} clear={() => findOrder('')} />
          ) : (
            <Empty title={t('noOrders')}>{t('noOrdersLead')}</Empty>
          )
        }
      />
      <Pager
        page={p}
        pageSize={pageSize}
        total={data?.total ?? 0}
        onPage={page => show({ ...search, p: page })}
        onPageSize={size => {
          setPageSize(size)
          const { p: _, ...others } = search
          return show(others)
        }}
      />
    </section>
  )
}

function orderColumns(
  t: TranslateOf<typeof topUpText>,
  status: StatusDocument | undefined,
  withUser: boolean,
): Column<TopUpView>[] {
  return [
    { id: 'number', header: t('orderNumber'), heading: true, cell: order => <code>{order.trade_no}</code> },
    ...(withUser
      ? [
          {
            id: 'user',
            header: t('userId'),
            width: 88,
            align: 'end' as const,
            inCard: 'behind' as const,
            cell: (order: TopUpView) => order.user_id,
          },
        ]
      : []),
    {
      id: 'quota',
      header: t('credited'),
      width: 120,
      align: 'end',
      inCard: 'figure',
      cell: order => order.plan || (status ? formatExactly(order.quota, status) : ''),
    },
    {
      id: 'money',
      header: t('money'),
      width: 112,
      align: 'end',
      inCard: 'figure',
      cell: order => priceText(t, order),
    },
    {
      id: 'method',
      header: t('method'),
      width: 104,
      inCard: 'figure',
      cell: ({ payment_method }) => methodText(t, payment_method),
    },
    {
      id: 'status',
      header: t('status'),
      width: 104,
      inCard: 'beside',
      cell: order =>
        order.status === topUpStatuses.success ? (
          <Tag tone="green">{t('paid')}</Tag>
        ) : order.status === topUpStatuses.pending ? (
          <Tag tone="yellow">{t('pending')}</Tag>
        ) : (
          <Tag tone="grey">{t('closed')}</Tag>
        ),
    },
    {
      id: 'time',
      header: t('created'),
      width: 144,
      inCard: 'behind',
      cell: order => formatMinute(order.create_time),
    },
  ]
}

/** As orders have it: by the gateway's own names for the first two. */
const methodTexts = { alipay: 'zfb', wxpay: 'wx', zfb: 'zfb', wx: 'wx', stripe: 'stripe' } as const

function methodText(t: TranslateOf<typeof topUpText>, method: string): string {
  return Object.hasOwn(methodTexts, method) ? t(methodTexts[method as keyof typeof methodTexts]) : method
}
