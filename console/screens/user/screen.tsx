import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Outlet, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { groupsQuery } from '../../groups-query.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { choiceFilter } from '../../ui/lists/filter-bar.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import { textFilter } from '../../ui/lists/search-box.tsx'
import { useListPage } from '../../ui/lists/use-list-page.ts'
import { sortBy } from '../../ui/table/sort-by.ts'
import { useStable } from '../../ui/use-stable.ts'
import { userText } from './catalogue.ts'
import { userColumns } from './columns.tsx'
import type { UserSearch } from './route.ts'
import { useEditUser } from './use-edit-user.ts'
import { useUserActions } from './use-user-actions.tsx'
import { readUsers } from './users-query.ts'

function Users() {
  const t = useText(userText)
  const shell = useText(shellText)
  const status = useStatus()
  const search = screen.useSearch()
  const navigate = useNavigate()
  const list = useListPage({
    key: ['users'],
    search,
    filters: ['keyword', 'group', 'role', 'status'],
    read: (paging, signal) => readUsers(search, paging, signal),
    show: next => navigate({ to: '/user', search: next }),
  })
  const groups = useQuery(groupsQuery).data ?? []
  const { order } = search
  const showSorted = useStable(list.filter)
  const edit = useEditUser()
  const columns = useMemo(
    () => userColumns(t, status, column => sortBy(column, order, next => showSorted({ order: next })), edit),
    [t, status, order, showSorted, edit],
  )
  const { actions, question, moneyDialog } = useUserActions()
  return (
    <ListScreen
      name="user"
      title={shell('nav.user')}
      list={list}
      columns={columns}
      rowName={({ username }) => username}
      actions={actions}
      actionsWidth={92}
      muted={user => user.status !== 1 || user.DeletedAt !== null}
      onOpen={user => edit(user)?.()}
      filters={[
        textFilter('keyword', {
          main: true,
          label: t('search'),
          value: search.keyword ?? '',
          onSearch: keyword => list.filter({ keyword: keyword || undefined }),
        }),
        choiceFilter('group', {
          label: t('group'),
          value: search.group ?? '',
          options: [
            { value: '', label: t('allGroups') },
            ...groups.map(name => ({ value: name, label: name })),
          ],
          onChange: group => list.filter({ group: group || undefined }),
        }),
        choiceFilter('role', {
          label: t('role'),
          value: search.role ?? '',
          options: [
            { value: '', label: t('allRoles') },
            { value: 'user', label: t('role.user') },
            { value: 'team', label: t('role.team') },
            { value: 'admin', label: t('role.admin') },
            { value: 'root', label: t('role.root') },
          ],
          onChange: role => list.filter({ role: (role || undefined) as UserSearch['role'] }),
        }),
        choiceFilter('status', {
          label: t('status'),
          value: search.status ?? '',
          options: [
            { value: '', label: t('allStatuses') },
            { value: 'active', label: t('active') },
            { value: 'banned', label: t('banned') },
            { value: 'deleted', label: t('deactivated') },
          ],
          onChange: state => list.filter({ status: (state || undefined) as UserSearch['status'] }),
        }),
      ]}
      add={{ label: t('add'), act: () => navigate({ to: '/user/add', search: true }) }}
      empty={{ noMatches: t('noMatches') }}
    >
      {question}
      {moneyDialog}
      <Outlet />
    </ListScreen>
  )
}

export const screen = createLazyRoute('/user')({ component: Users })
