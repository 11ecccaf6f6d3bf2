import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Outlet, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { groupsQuery } from '../../groups-query.ts'
import { usePageSize } from '../../page-size.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { FilterBar, FilterSelect } from '../../ui/filter-bar.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Empty } from '../../ui/table/empty.tsx'
import { userText } from './catalogue.ts'
import { userColumns } from './columns.tsx'
import type { UserSearch } from './route.ts'
import { useUserActions } from './use-user-actions.tsx'
import { usersQuery } from './users-query.ts'

function Users() {
  const t = useText(userText)
  const status = useStatus()
  const search = screen.useSearch()
  const navigate = useNavigate()
  const [pageSize, setPageSize] = usePageSize()
  const { data, error, isPlaceholderData, refetch } = useQuery(usersQuery(search, pageSize))
  const groups = useQuery(groupsQuery).data ?? []
  const columns = useMemo(() => userColumns(t, status), [t, status])
  const { actions, question } = useUserActions()
  const filter = (next: UserSearch) =>
    navigate({ to: '/user', search: ({ p: _, ...before }: UserSearch) => ({ ...before, ...next }) })
  const clear = () => navigate({ to: '/user' })
  const isFiltered = search.keyword !== undefined || search.group !== undefined
  return (
    <Page
      title={t('title')}
      wide
      actions={
        <Button
          size="xs"
          leftSection={<Plus size={16} aria-hidden />}
          onClick={() => navigate({ to: '/user/add', search: true })}
        >
          {t('add')}
        </Button>
      }
    >
      <FilterBar clear={isFiltered ? clear : undefined}>
        <SearchBox
          main
          label={t('search')}
          value={search.keyword ?? ''}
          onSearch={keyword => filter({ keyword: keyword || undefined })}
        />
        <FilterSelect
          label={t('group')}
          value={search.group ?? ''}
          options={[
            { value: '', label: t('allGroups') },
            ...groups.map(name => ({ value: name, label: name })),
          ]}
          onChange={group => filter({ group: group || undefined })}
        />
      </FilterBar>
      <DataTable
        label={t('title')}
        columns={columns}
        rows={data?.items}
        rowId={({ id }) => id}
        rowName={({ username }) => username}
        total={data?.total ?? 0}
        fetching={isPlaceholderData}
        error={error}
        retry={refetch}
        actions={actions}
        actionsWidth={100}
        muted={user => user.status !== 1 || user.DeletedAt !== null}
        onOpen={({ id, DeletedAt }) => {
          if (DeletedAt === null)
            navigate({ to: '/user/edit/$id', params: { id: String(id) }, search: true }).catch(() => {})
        }}
        empty={
          <Empty
            title={t('noMatches')}
            actions={
              <Button size="xs" variant="default" onClick={clear}>
                {t('clearSearch')}
              </Button>
            }
          />
        }
      />
      <Pager
        page={search.p ?? 1}
        pageSize={pageSize}
        total={data?.total ?? 0}
        onPage={p => navigate({ to: '/user', search: before => ({ ...before, p }) })}
        onPageSize={size => {
          setPageSize(size)
          return filter({})
        }}
      />
      {question}
      <Outlet />
    </Page>
  )
}

export const screen = createLazyRoute('/user')({ component: Users })
