import { createLazyRoute } from '@tanstack/react-router'
import { type McpServerView, mcpEndpoints } from '../../../contract/mcp.ts'
import { call } from '../../api.ts'
import { changedFields } from '../../changed-fields.ts'
import { refreshMcp } from '../../mcp/mcp-query.ts'
import { useText } from '../../text.ts'
import { EditDrawer } from '../../ui/layers/edit-drawer.tsx'
import { FormDrawer } from '../../ui/layers/form-drawer.tsx'
import { useCloseDrawer } from '../../ui/layers/use-close-drawer.ts'
import { useDraft } from '../../ui/layers/use-draft.ts'
import { useSaveForm } from '../../ui/layers/use-save-form.ts'
import { mcpText } from './catalogue.ts'
import { draftOfServer, faultsOfServer, fieldsOfServer } from './server-draft.ts'
import { ServerFields } from './server-fields.tsx'

function AddServer() {
  return <ServerForm server={undefined} />
}

function EditServer() {
  const t = useText(mcpText)
  const { id } = editDrawer.useParams()
  return (
    <EditDrawer
      title={t('editTitle')}
      list="mcp"
      id={id}
      read={signal => call(mcpEndpoints.getMcpServer, { params: { id }, signal })}
      onClose={useCloseDrawer('/mcp-server')}
      fields={8}
    >
      {server => <ServerForm key={server.id} server={server} />}
    </EditDrawer>
  )
}

function ServerForm({ server }: { server: McpServerView | undefined }) {
  const t = useText(mcpText)
  const close = useCloseDrawer('/mcp-server')
  const draft = useDraft(draftOfServer(server), 'mcp-server')
  const { told, drawer } = useSaveForm({
    name: 'mcp',
    faults: faultsOfServer(draft.values),
    tell: fault => (typeof fault === 'string' ? t(fault) : t(fault.word, fault.values)),
    save: () => {
      const body = fieldsOfServer(draft.values)
      if (!server) return call(mcpEndpoints.createMcpServer, { body })
      const changes = changedFields(fieldsOfServer(draftOfServer(server)), body)
      return call(mcpEndpoints.updateMcpServer, { params: { id: server.id }, body: changes })
    },
    said: t('saved'),
    refresh: refreshMcp,
  })
  return (
    <FormDrawer
      {...drawer}
      title={server ? t('editTitle') : t('add')}
      changes={draft.changes}
      action={server ? t('action.save') : t('create')}
      onClose={close}
    >
      <ServerFields draft={draft} faults={told} stored={server?.header_names ?? []} />
    </FormDrawer>
  )
}

export const addDrawer = createLazyRoute('/mcp-server/add')({ component: AddServer })
export const editDrawer = createLazyRoute('/mcp-server/edit/$id')({ component: EditServer })
