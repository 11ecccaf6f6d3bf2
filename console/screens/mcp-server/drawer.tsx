import { useQuery } from '@tanstack/react-query'
import { createLazyRoute } from '@tanstack/react-router'
import { type McpServerView, mcpEndpoints } from '../../../contract/mcp.ts'
import { call } from '../../api.ts'
import { groupsQuery } from '../../groups-query.ts'
import { refreshMcp } from '../../mcp/mcp-query.ts'
import { showCallPrice } from '../../mcp/show-price.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { MultiSelectField } from '../../ui/fields/choice-fields.tsx'
import { Textarea, TextInput } from '../../ui/fields/fields.tsx'
import { QuotaField } from '../../ui/fields/quota-field.tsx'
import { SwitchField } from '../../ui/fields/switch-field.tsx'
import { EditDrawer } from '../../ui/layers/edit-drawer.tsx'
import { FormDrawer } from '../../ui/layers/form-drawer.tsx'
import { useCloseDrawer } from '../../ui/layers/use-close-drawer.ts'
import { useDraft } from '../../ui/layers/use-draft.ts'
import { useSaveForm } from '../../ui/layers/use-save-form.ts'
import { mcpText } from './catalogue.ts'
import styles from './mcp-server.module.css'
import { draftOfServer, faultsOfServer, fieldsOfServer, readToolPrices } from './server-draft.ts'

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
  const status = useStatus()
  const groups = useQuery(groupsQuery).data ?? []
  const draft = useDraft(draftOfServer(server), 'mcp-server')
  const { values, set } = draft
  const stored = server?.header_names ?? []
  const { told, drawer } = useSaveForm({
    name: 'mcp',
    faults: faultsOfServer(values),
    tell: t,
    save: () => {
      const body = fieldsOfServer(values)
      return server
        ? call(mcpEndpoints.updateMcpServer, { params: { id: server.id }, body })
        : call(mcpEndpoints.createMcpServer, { body })
    },
    said: t('saved'),
    refresh: refreshMcp,
  })
  const worth = Object.entries(readToolPrices(values.toolPrices) ?? {})
    .map(([tool, price]) => `${tool} ${showCallPrice(price, status, t('free'))}`)
    .join(' · ')
  const text = (field: 'name' | 'note' | 'url' | 'proxy' | 'timeout', label: string, help?: string) => (
    <TextInput
      id={`mcp-${field}`}
      label={label}
      description={help}
      required={field === 'name' || field === 'url'}
      data-autofocus={field === 'name' || undefined}
      maxLength={{ name: 32, note: 300, url: 2000, proxy: 500, timeout: 4 }[field]}
      inputMode={field === 'timeout' ? 'numeric' : 'text'}
      value={values[field]}
      error={told[field]}
      onChange={event => set(field, event.currentTarget.value)}
    />
  )
  return (
    <FormDrawer
      {...drawer}
      title={server ? t('editTitle') : t('add')}
      changes={draft.changes}
      action={server ? t('action.save') : t('create')}
      onClose={close}
    >
      {text('name', t('name'), t('nameHelp'))}
      {text('url', t('address'))}
      <Textarea
        id="mcp-headers"
        label={t('headers')}
        description={stored.length > 0 ? t('headersKept', { names: stored.join(', ') }) : t('headersHelp')}
        autosize
        minRows={2}
        maxRows={8}
        autoComplete="off"
        spellCheck={false}
        disabled={values.dropHeaders}
        value={values.headers}
        error={told.headers}
        onChange={event => set('headers', event.currentTarget.value)}
      />
      {stored.length > 0 && (
        <SwitchField
          label={t('dropHeaders')}
          checked={values.dropHeaders}
          onChange={event => set('dropHeaders', event.currentTarget.checked)}
        />
      )}
      <MultiSelectField
        id="mcp-groups"
        required
        label={t('groups')}
        data={[...new Set([...groups, ...values.groups])]}
        value={values.groups}
        error={told.groups}
        onChange={chosen => set('groups', chosen)}
      />
      <Textarea
        id="mcp-tools"
        label={t('tools')}
        description={t('toolsHelp')}
        autosize
        minRows={2}
        maxRows={10}
        spellCheck={false}
        value={values.tools}
        onChange={event => set('tools', event.currentTarget.value)}
      />
      <QuotaField
        id="mcp-price"
        label={t('price')}
        bare
        digits={4}
        value={values.price}
        error={told.price}
        onChange={price => set('price', price)}
      />
      <Textarea
        id="mcp-toolPrices"
        label={t('toolPrices')}
        description={t('toolPricesHelp')}
        autosize
        minRows={2}
        maxRows={10}
        spellCheck={false}
        value={values.toolPrices}
        error={told.toolPrices}
        onChange={event => set('toolPrices', event.currentTarget.value)}
      />
      {worth !== '' && <p className={styles.worth}>{worth}</p>}
      {text('note', t('note'))}
      {text('timeout', t('timeout'))}
      {text('proxy', t('proxy'), t('proxyHelp'))}
      <SwitchField
        label={t('enabled')}
        checked={values.enabled}
        onChange={event => set('enabled', event.currentTarget.checked)}
      />
    </FormDrawer>
  )
}

export const addDrawer = createLazyRoute('/mcp-server/add')({ component: AddServer })
export const editDrawer = createLazyRoute('/mcp-server/edit/$id')({ component: EditServer })
