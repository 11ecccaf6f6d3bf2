import { Button } from '@mantine/core'
import { createLazyRoute, Outlet, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import {
  type RedemptionView,
  redemptionEndpoints,
  redemptionStatuses,
} from '../../../contract/redemptions.ts'
import { call } from '../../api.ts'
import { shellText } from '../../locales/catalogue.ts'
import { mayBeKey } from '../../may-be-key.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { deleteLater } from '../../ui/layers/delete-later.ts'
import { choiceFilter } from '../../ui/lists/filter-bar.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import { textFilter } from '../../ui/lists/search-box.tsx'
import { useListPage } from '../../ui/lists/use-list-page.ts'
import { useUntold } from '../../ui/lists/use-untold.ts'
import { redemptionText } from './catalogue.ts'
import { CodesDialog } from './codes-dialog.tsx'
import { hasEnded, redemptionColumns } from './columns.tsx'
import { readRedemptions, refreshRedemptions } from './redemptions-query.ts'
import type { RedemptionSearch } from './route.ts'
import { useRedemptionActions } from './use-redemption-actions.ts'

function Redemptions() {
  const t = useText(redemptionText)
  const shell = useText(shellText)
  const status = useStatus()
  const told = screen.useSearch()
  const navigate = useNavigate()
  const { search, show } = useUntold<RedemptionSearch, 'keyword'>(
    told,
    'keyword',
    mayBeKey,
    (next, replace) => navigate({ to: '/redemption', search: next, replace }),
  )
  const list = useListPage({
    key: ['redemptions'],
    search,
    told,
    filters: ['keyword', 'status'],
    read: (paging, signal) => readRedemptions(search, paging, signal),
    show,
    deleting: 'redemption',
  })
  const [shown, setShown] = useState<RedemptionView>()
  const columns = useMemo(() => redemptionColumns(t, status, setShown), [t, status])
  const actions = useRedemptionActions({ view: setShown })
  const deleteMany = (ids: readonly number[], clear: () => void) => {
    clear()
    deleteLater({
      kind: 'redemption',
      ids,
      message: t('deletedCount', { count: ids.length }),
      commit: () => call(redemptionEndpoints.deleteRedemptions, { body: { ids: [...ids] } }),
      done: refreshRedemptions,
    })
  }
  return (
    <ListScreen
      name="redemption"
      title={shell('nav.redemption')}
      list={list}
      columns={columns}
      rowName={({ name }) => name}
      actions={actions}
      muted={code => code.status !== redemptionStatuses.unused || hasEnded(code)}
      onOpen={code => setShown(code)}
      filters={[
        textFilter('keyword', {
          main: true,
          label: t('search'),
          value: search.keyword ?? '',
          onSearch: keyword => list.filter({ keyword: keyword || undefined }),
        }),
        choiceFilter('status', {
          label: t('status'),
          value: search.status ?? '',
          options: [
            { value: '', label: t('allStatuses') },
            { value: 'unused', label: t('unused') },
            { value: 'disabled', label: t('disabled') },
            { value: 'used', label: t('used') },
            { value: 'expired', label: t('expired') },
          ],
          onChange: state => list.filter({ status: (state || undefined) as RedemptionSearch['status'] }),
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
      bulk={(ids, clear) => (
        <Button size="xs" color="red" onClick={() => deleteMany(ids, clear)}>
          {t('delete')}
        </Button>
      )}
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
