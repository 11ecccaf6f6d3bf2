import { useMutation } from '@tanstack/react-query'
import { createLazyRoute, Outlet, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type McpServerView, mcpEndpoints } from '../../../contract/mcp.ts'
import { call } from '../../api.ts'
import { shellText } from '../../locales/catalogue.ts'
import { refreshMcp } from '../../mcp/mcp-query.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { deleteLater } from '../../ui/layers/delete-later.ts'
import { toast } from '../../ui/layers/toast.ts'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import { useListPage } from '../../ui/lists/use-list-page.ts'
import type { RowAction } from '../../ui/table/column.ts'
import { useStable } from '../../ui/use-stable.ts'
import { mcpText } from './catalogue.ts'
import { mcpServerColumns } from './columns.tsx'
import { TestDialog } from './test-dialog.tsx'

function McpServers() {
  const t = useText(mcpText)
  const shell = useText(shellText)
  const status = useStatus()
  const search = screen.useSearch()
  const navigate = useNavigate()
  const [tested, setTested] = useState<McpServerView>()
  const list = useListPage({
    key: ['mcp', 'servers'],
    search,
    filters: [],
    read: (query, signal) => call(mcpEndpoints.listMcpServers, { query, signal }),
    show: next => navigate({ to: '/mcp-server', search: next }),
    deleting: 'mcp-server',
  })
  const { mutate: toggle } = useMutation({
    mutationFn: ({ id, enabled }: McpServerView) =>
      call(mcpEndpoints.updateMcpServer, { params: { id }, body: { enabled: !enabled } }),
    onSuccess: () => {
      toast.success(t('done'))
      return refreshMcp()
    },
  })
  const open = ({ id }: McpServerView) =>
    navigate({ to: '/mcp-server/edit/$id', params: { id: String(id) }, search: true })
  const openServer = useStable(open)
  const columns = useMemo(() => mcpServerColumns(t, status, openServer), [t, status, openServer])
  const actions = (server: McpServerView): RowAction[] => [
    { id: 'test', label: t('test'), inline: true, act: () => setTested(server) },
    { id: 'edit', label: t('edit'), inline: true, act: () => open(server) },
    { id: 'toggle', label: server.enabled ? t('disable') : t('enable'), act: () => toggle(server) },
    {
      id: 'delete',
      label: t('delete'),
      destructive: true,
      act: () =>
        deleteLater({
          kind: 'mcp-server',
          ids: [server.id],
          message: t('deleted', { name: server.name }),
          commit: () => call(mcpEndpoints.deleteMcpServer, { params: { id: server.id } }),
          done: refreshMcp,
        }),
    },
  ]
  return (
    <ListScreen
      name="mcp-server"
      title={shell('nav.mcpServer')}
      list={list}
      columns={columns}
      rowName={({ name }) => name}
      actions={actions}
      muted={({ enabled }) => !enabled}
      onOpen={open}
      filters={[]}
      add={{
        label: t('add'),
        first: t('add'),
        act: () => navigate({ to: '/mcp-server/add', search: true }),
      }}
      empty={{ noMatches: '', none: t('none'), noneLead: t('noneLead') }}
    >
      {tested && <TestDialog server={tested} close={() => setTested(undefined)} />}
      <Outlet />
    </ListScreen>
  )
}

export const screen = createLazyRoute('/mcp-server')({ component: McpServers })
