import { createLazyRoute, Outlet, useNavigate } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { type TokenView, tokenStatuses } from '../../../contract/tokens.ts'
import { useFirstSteps } from '../../first-steps.tsx'
import { shellText } from '../../locales/catalogue.ts'
import { mayBeKey } from '../../may-be-key.ts'
import { useTeam } from '../../session.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { Callout } from '../../ui/content/callout.tsx'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import { textFilter } from '../../ui/lists/search-box.tsx'
import { useListPage } from '../../ui/lists/use-list-page.ts'
import { useUntold } from '../../ui/lists/use-untold.ts'
import { lazyPart } from '../../ui/page/lazy-part.ts'
import { useSpacious } from '../../ui/use-narrow.ts'
import { useStable } from '../../ui/use-stable.ts'
import { tokenText } from './catalogue.ts'
import { tokenColumns } from './columns.tsx'
import type { TokenSearch } from './route.ts'
import { readTokens } from './tokens-query.ts'
import { useTokenActions } from './use-token-actions.ts'

const KeyDialog = lazyPart(() => import('./key-dialog.tsx'))

function Tokens() {
  const t = useText(tokenText)
  const shell = useText(shellText)
  const status = useStatus()
  const told = screen.useSearch()
  const navigate = useNavigate()
  const byName = useUntold<TokenSearch, 'keyword'>(told, 'keyword', mayBeKey, (next, replace) =>
    navigate({ to: '/token', search: next, replace }),
  )
  const { search, show } = useUntold<TokenSearch, 'key'>(byName.search, 'key', () => true, byName.show)
  const list = useListPage<TokenView, TokenSearch>({
    key: ['tokens'],
    search,
    told,
    filters: ['keyword', 'key'],
    read: (paging, signal) => readTokens(search, paging, signal),
    show,
    deleting: 'token',
  })
  const [shown, setShown] = useState<TokenView>()
  const showsCreators = useTeam()?.isOwner ?? false
  const guide = useFirstSteps()
  const open = useStable(({ id }: TokenView) =>
    navigate({ to: '/token/edit/$id', params: { id: String(id) }, search: true }),
  )
  const isSpacious = useSpacious()
  const columns = useMemo(
    () => tokenColumns(t, status, isSpacious, open, showsCreators),
    [t, status, isSpacious, open, showsCreators],
  )
  const actions = useTokenActions({ view: setShown })
  return (
    <ListScreen
      name="token"
      title={shell('nav.token')}
      list={list}
      columns={columns}
      rowName={({ name }) => name}
      actions={actions}
      muted={token => token.status !== tokenStatuses.enabled}
      onOpen={open}
      notice={
        <>
          {guide}
          <Callout>{t('warning')}</Callout>
        </>
      }
      filters={[
        textFilter('keyword', {
          main: true,
          label: t('searchName'),
          value: search.keyword ?? '',
          onSearch: keyword => list.filter({ keyword: keyword || undefined }),
        }),
        textFilter('key', {
          label: t('key'),
          value: search.key ?? '',
          onSearch: key => list.filter({ key: key || undefined }),
        }),
      ]}
      add={{
        label: t('add'),
        first: guide ? undefined : t('addFirst'),
        isOffered: guide !== undefined,
        act: () => navigate({ to: '/token/add', search: true }),
      }}
      empty={{
        noMatches: t('noMatches'),
        none: t('none'),
        noneLead: t('noneLead'),
      }}
      copy={{
        label: t('copySelected'),
        noneTicked: t('selectOne'),
        line: ({ name, key }) => `${name}    ${key === '' ? t('movedIn') : `sk-${key}`}`,
      }}
    >
      <Suspense>{shown && <KeyDialog token={shown} close={() => setShown(undefined)} />}</Suspense>
      <Outlet />
    </ListScreen>
  )
}

export const screen = createLazyRoute('/token')({ component: Tokens })
