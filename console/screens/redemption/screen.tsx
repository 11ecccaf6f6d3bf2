import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Outlet, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type RedemptionView, redemptionStatuses } from '../../../contract/redemptions.ts'
import { usePageSize } from '../../page-size.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { copyText } from '../../ui/copy.ts'
import { useDeleted } from '../../ui/delete-later.ts'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Empty } from '../../ui/table/empty.tsx'
import { useSelection } from '../../ui/table/use-selection.ts'
import { toast } from '../../ui/toast.ts'
import { redemptionText } from './catalogue.ts'
import { CodesDialog } from './codes-dialog.tsx'
import { redemptionColumns } from './columns.tsx'
import { redemptionsQuery } from './redemptions-query.ts'
import { useRedemptionActions } from './use-redemption-actions.ts'

function Redemptions() {
  const t = useText(redemptionText)
  const status = useStatus()
  const search = screen.useSearch()
  const navigate = useNavigate()
  const [pageSize, setPageSize] = usePageSize()
  const { data, error, isPlaceholderData, refetch } = useQuery(redemptionsQuery(search, pageSize))
  const deleted = useDeleted('redemption')
  const selection = useSelection()
  const [shown, setShown] = useState<RedemptionView>()
  const columns = useMemo(() => redemptionColumns(t, status), [t, status])
  const actions = useRedemptionActions({ view: setShown })
  const rows = useMemo(() => data?.items.filter(({ id }) => !deleted.has(id)), [data, deleted])
  const add = () => navigate({ to: '/redemption/add', search: true })
  const clear = () => navigate({ to: '/redemption' })

  const copySelected = () => {
    const chosen = (data?.items ?? []).filter(({ id }) => selection.ids.has(id))
    if (chosen.length === 0) return toast.error(t('selectOne'))
    return copyText(chosen.map(({ name, key }) => `${name}    ${key}`).join('\n'))
  }

  return (
    <Page
      title={t('title')}
      wide
      actions={
        <Button size="xs" leftSection={<Plus size={16} aria-hidden />} onClick={add}>
          {t('add')}
        </Button>
      }
    >
      <FilterBar clear={search.keyword ? clear : undefined}>
        <SearchBox
          main
          label={t('search')}
          value={search.keyword ?? ''}
          onSearch={keyword => navigate({ to: '/redemption', search: keyword ? { keyword } : {} })}
        />
        <Button size="xs" variant="default" onClick={copySelected}>
          {t('copySelected')}
        </Button>
      </FilterBar>
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        total={data?.total ?? 0}
        fetching={isPlaceholderData}
        error={error}
        retry={refetch}
        selection={selection}
        actions={actions}
        muted={code => code.status !== redemptionStatuses.unused}
        onOpen={code => setShown(code)}
        empty={
          search.keyword ? (
            <Empty
              title={t('noMatches')}
              actions={
                <Button size="xs" variant="default" onClick={clear}>
                  {t('clearSearch')}
                </Button>
              }
            />
          ) : (
            <Empty
              title={t('none')}
              actions={
                <Button size="xs" onClick={add}>
                  {t('addFirst')}
                </Button>
              }
            >
              {t('noneLead')}
            </Empty>
          )
        }
      />
      <Pager
        page={search.p ?? 1}
        pageSize={pageSize}
        total={data?.total ?? 0}
        onPage={p => navigate({ to: '/redemption', search: before => ({ ...before, p }) })}
        onPageSize={size => {
          setPageSize(size)
          return navigate({ to: '/redemption', search: search.keyword ? { keyword: search.keyword } : {} })
        }}
      />
      {shown && (
        <CodesDialog
          title={t('codeOf', { name: shown.name })}
          name={shown.name}
          codes={[shown.key]}
          close={() => setShown(undefined)}
        />
      )}
      <Outlet />
    </Page>
  )
}

export const screen = createLazyRoute('/redemption')({ component: Redemptions })
