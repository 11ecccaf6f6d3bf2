import { createLazyRoute, Outlet, useNavigate } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { type PromptView, promptEndpoints } from '../../../contract/prompts.ts'
import { call } from '../../api.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import { deleteLater } from '../../ui/layers/delete-later.ts'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import { textFilter } from '../../ui/lists/search-box.tsx'
import { useListPage } from '../../ui/lists/use-list-page.ts'
import { lazyPart } from '../../ui/page/lazy-part.ts'
import type { RowAction } from '../../ui/table/column.ts'
import { useStable } from '../../ui/use-stable.ts'
import { promptText } from './catalogue.ts'
import { promptColumns } from './columns.tsx'
import { refreshPrompts } from './prompts-query.ts'

const TryDialog = lazyPart(() => import('./try-dialog.tsx'))
const VersionsDialog = lazyPart(() => import('./versions-dialog.tsx'))

interface Shown {
  readonly what: 'try' | 'versions'
  readonly prompt: PromptView
  /** To begin with; the one in use where none is meant. */
  readonly version?: number
}

function Prompts() {
  const t = useText(promptText)
  const shell = useText(shellText)
  const search = screen.useSearch()
  const navigate = useNavigate()
  const [shown, setShown] = useState<Shown>()
  const list = useListPage({
    key: ['prompts'],
    search,
    filters: ['keyword'],
    read: (query, signal) =>
      call(promptEndpoints.listPrompts, { query: { ...query, keyword: search.keyword ?? '' }, signal }),
    show: next => navigate({ to: '/prompt', search: next }),
    deleting: 'prompt',
  })
  const edit = ({ id }: PromptView) =>
    navigate({ to: '/prompt/edit/$id', params: { id: String(id) }, search: true })
  // Who may not change it looks at what there is of it.
  const open = useStable((prompt: PromptView) =>
    prompt.editable ? edit(prompt) : setShown({ what: 'versions', prompt }),
  )
  const columns = useMemo(() => promptColumns(t, open), [t, open])
  const actions = (prompt: PromptView): RowAction[] => [
    { id: 'try', label: t('try'), inline: true, act: () => setShown({ what: 'try', prompt }) },
    { id: 'versions', label: t('versions'), inline: true, act: () => setShown({ what: 'versions', prompt }) },
    ...(prompt.editable
      ? [
          { id: 'edit', label: t('edit'), act: () => edit(prompt) },
          { id: 'delete', label: t('delete'), destructive: true, act: () => deletePrompt(prompt) },
        ]
      : []),
  ]
  const deletePrompt = ({ id, name }: PromptView) =>
    deleteLater({
      kind: 'prompt',
      ids: [id],
      message: t('deleted', { name }),
      commit: () => call(promptEndpoints.deletePrompt, { params: { id } }),
      done: refreshPrompts,
    })
  const close = () => setShown(undefined)
  return (
    <ListScreen
      name="prompt"
      title={shell('nav.prompt')}
      list={list}
      columns={columns}
      rowName={({ name }) => name}
      actions={actions}
      onOpen={open}
      filters={[
        textFilter('keyword', {
          main: true,
          label: t('searchName'),
          value: search.keyword ?? '',
          onSearch: keyword => list.filter({ keyword: keyword || undefined }),
        }),
      ]}
      add={{
        label: t('add'),
        first: t('addFirst'),
        act: () => navigate({ to: '/prompt/add', search: true }),
      }}
      empty={{ noMatches: t('noMatches'), none: t('none'), noneLead: t('noneLead') }}
    >
      <Suspense>
        {shown?.what === 'try' && <TryDialog prompt={shown.prompt} version={shown.version} close={close} />}
        {shown?.what === 'versions' && (
          <VersionsDialog
            prompt={shown.prompt}
            onTry={version => setShown({ what: 'try', prompt: shown.prompt, version })}
            close={close}
          />
        )}
      </Suspense>
      <Outlet />
    </ListScreen>
  )
}

export const screen = createLazyRoute('/prompt')({ component: Prompts })
