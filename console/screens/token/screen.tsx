import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Outlet, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { TokenView } from '../../../contract/tokens.ts'
import { usePageSize } from '../../page-size.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { Callout } from '../../ui/callout.tsx'
import { copyText } from '../../ui/copy.ts'
import { useDeleted } from '../../ui/delete-later.ts'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Empty } from '../../ui/table/empty.tsx'
import { SelectionBar } from '../../ui/table/selection-bar.tsx'
import { useSelection } from '../../ui/table/use-selection.ts'
import { toast } from '../../ui/toast.ts'
import { tokenText } from './catalogue.ts'
import { tokenColumns } from './columns.tsx'
import { KeyDialog } from './key-dialog.tsx'
import type { TokenSearch } from './route.ts'
import { tokensQuery } from './tokens-query.ts'
import { useTokenActions } from './use-token-actions.ts'

function Tokens() {
  const t = useText(tokenText)
  const status = useStatus()
  const search = screen.useSearch()
  const navigate = useNavigate()
  const [pageSize, setPageSize] = usePageSize()
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(tokensQuery(search, pageSize))
  const deleted = useDeleted('token')
  const selection = useSelection()
  const [shown, setShown] = useState<TokenView>()
  const columns = useMemo(() => tokenColumns(t, status), [t, status])
  const actions = useTokenActions({ view: setShown })
  const rows = useMemo(() => data?.items.filter(({ id }) => !deleted.has(id)), [data, deleted])
  const filter = (next: TokenSearch) =>
    navigate({ to: '/token', search: ({ p: _, ...before }: TokenSearch) => ({ ...before, ...next }) })
  const add = () => navigate({ to: '/token/add', search: true })
  const isFiltered = search.keyword !== undefined || search.key !== undefined
  const clear = () => navigate({ to: '/token' })

  const copySelected = () => {
    const chosen = (data?.items ?? []).filter(({ id }) => selection.ids.has(id))
    if (chosen.length === 0) return toast.error(t('selectOne'))
    return copyText(chosen.map(({ name, key }) => `${name}    sk-${key}`).join('\n'))
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
      <Callout>{t('warning')}</Callout>
      <FilterBar clear={isFiltered ? clear : undefined}>
        <SearchBox
          main
          label={t('searchName')}
          value={search.keyword ?? ''}
          onSearch={keyword => filter({ keyword: keyword || undefined })}
        />
        <SearchBox
          label={t('searchKey')}
          value={search.key ?? ''}
          onSearch={key => filter({ key: key || undefined })}
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
        fetching={isFetching && isPlaceholderData}
        error={error}
        retry={refetch}
        selection={selection}
        actions={actions}
        muted={token => token.status !== 1}
        onOpen={({ id }) => navigate({ to: '/token/edit/$id', params: { id: String(id) }, search: true })}
        empty={
          isFiltered ? (
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
        onPage={p => navigate({ to: '/token', search: before => ({ ...before, p }) })}
        onPageSize={size => {
          setPageSize(size)
          return filter({})
        }}
      />
      <SelectionBar selection={selection}>
        <Button size="xs" variant="default" onClick={copySelected}>
          {t('copySelected')}
        </Button>
      </SelectionBar>
      {shown && <KeyDialog token={shown} close={() => setShown(undefined)} />}
      <Outlet />
    </Page>
  )
}

export const screen = createLazyRoute('/token')({ component: Tokens })
