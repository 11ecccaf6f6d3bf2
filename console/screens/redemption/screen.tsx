import { createLazyRoute, Outlet, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type RedemptionView, redemptionStatuses } from '../../../contract/redemptions.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { ListScreen } from '../../ui/list-screen.tsx'
import { textFilter } from '../../ui/search-box.tsx'
import { useListPage } from '../../ui/use-list-page.ts'
import { redemptionText } from './catalogue.ts'
import { CodesDialog } from './codes-dialog.tsx'
import { redemptionColumns } from './columns.tsx'
import { readRedemptions } from './redemptions-query.ts'
import { useRedemptionActions } from './use-redemption-actions.ts'

function Redemptions() {
  const t = useText(redemptionText)
  const status = useStatus()
  const search = screen.useSearch()
  const navigate = useNavigate()
  const list = useListPage({
    key: ['redemptions'],
    search,
    filters: ['keyword'],
    read: (paging, signal) => readRedemptions(search, paging, signal),
    show: next => navigate({ to: '/redemption', search: next }),
    deleting: 'redemption',
  })
  const [shown, setShown] = useState<RedemptionView>()
  const columns = useMemo(() => redemptionColumns(t, status), [t, status])
  const actions = useRedemptionActions({ view: setShown })
  return (
    <ListScreen
      name="redemption"
      title={t('title')}
      list={list}
      columns={columns}
      rowName={({ name }) => name}
      actions={actions}
      muted={code => code.status !== redemptionStatuses.unused}
      onOpen={code => setShown(code)}
      filters={[
        textFilter('keyword', {
          main: true,
          label: t('search'),
          value: search.keyword ?? '',
          onSearch: keyword => list.filter({ keyword: keyword || undefined }),
        }),
      ]}
      add={{
        label: t('add'),
        first: t('addFirst'),
        act: () => navigate({ to: '/redemption/add', search: true }),
      }}
      empty={{
        noMatches: t('noMatches'),
        none: t('none'),
        noneLead: t('noneLead'),
      }}
      copy={{
        label: t('copySelected'),
        noneTicked: t('selectOne'),
        line: ({ name, key }) => `${name}    ${key}`,
      }}
    >
      {shown && (
        <CodesDialog
          title={t('codeOf', { name: shown.name })}
          name={shown.name}
          codes={[shown.key]}
          close={() => setShown(undefined)}
        />
      )}
      <Outlet />
    </ListScreen>
  )
}

export const screen = createLazyRoute('/redemption')({ component: Redemptions })
