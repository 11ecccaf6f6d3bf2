import { useQuery } from '@tanstack/react-query'
import { groupsQuery } from '../../groups-query.ts'
import { showCallPrice } from '../../mcp/show-price.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { MultiSelectField } from '../../ui/fields/choice-fields.tsx'
import { TextInput } from '../../ui/fields/fields.tsx'
import { LinesField } from '../../ui/fields/lines-field.tsx'
import { QuotaField } from '../../ui/fields/quota-field.tsx'
import { SwitchField } from '../../ui/fields/switch-field.tsx'
import type { Draft } from '../../ui/layers/use-draft.ts'
import { mcpText } from './catalogue.ts'
import styles from './mcp-server.module.css'
import { readToolPrices, type ServerDraft } from './server-draft.ts'

interface ServerFieldsProps {
  draft: Draft<ServerDraft>
  faults: Partial<Record<keyof ServerDraft, string>>
  /** The names of the headers that are kept; their values are never shown again. */
  stored: readonly string[]
}

export function ServerFields(form: ServerFieldsProps) {
  const t = useText(mcpText)
  const groups = useQuery(groupsQuery).data ?? []
  const {
    draft: { values, set },
    faults,
  } = form
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
      error={faults[field]}
      onChange={event => set(field, event.currentTarget.value)}
    />
  )
  return (
    <>
      {text('name', t('name'), t('nameHelp'))}
      {text('url', t('address'))}
      <HeaderFields {...form} />
      <MultiSelectField
        id="mcp-groups"
        required
        label={t('groups')}
        data={[...new Set([...groups, ...values.groups])]}
        value={values.groups}
        error={faults.groups}
        onChange={chosen => set('groups', chosen)}
      />
      <LinesField
        id="mcp-tools"
        label={t('tools')}
        description={t('toolsHelp')}
        value={values.tools}
        onChange={tools => set('tools', tools)}
      />
      <PriceFields {...form} />
      {text('note', t('note'))}
      {text('timeout', t('timeout'))}
      {text('proxy', t('proxy'), t('proxyHelp'))}
      <SwitchField
        label={t('enabled')}
        checked={values.enabled}
        onChange={event => set('enabled', event.currentTarget.checked)}
      />
    </>
  )
}

function HeaderFields({ draft: { values, set }, faults, stored }: ServerFieldsProps) {
  const t = useText(mcpText)
  return (
    <>
      <LinesField
        id="mcp-headers"
        label={t('headers')}
        description={stored.length > 0 ? t('headersKept', { names: stored.join(', ') }) : t('headersHelp')}
        autoComplete="off"
        disabled={values.dropHeaders}
        value={values.headers}
        error={faults.headers}
        onChange={headers => set('headers', headers)}
      />
      {stored.length > 0 && (
        <SwitchField
          label={t('dropHeaders')}
          checked={values.dropHeaders}
          onChange={event => set('dropHeaders', event.currentTarget.checked)}
        />
      )}
    </>
  )
}

/** What a call costs, of any tool and of some; what the numbers are worth is said below. */
function PriceFields({ draft: { values, set }, faults }: ServerFieldsProps) {
  const t = useText(mcpText)
  const status = useStatus()
  const worth = Object.entries(readToolPrices(values.toolPrices) ?? {})
    .map(([tool, price]) => `${tool} ${showCallPrice(price, status, t('free'))}`)
    .join(' · ')
  return (
    <>
      <QuotaField
        id="mcp-price"
        label={t('price')}
        bare
        digits={4}
        value={values.price}
        error={faults.price}
        onChange={price => set('price', price)}
      />
      <LinesField
        id="mcp-toolPrices"
        label={t('toolPrices')}
        description={t('toolPricesHelp')}
        value={values.toolPrices}
        error={faults.toolPrices}
        onChange={prices => set('toolPrices', prices)}
      />
      {worth !== '' && <p className={styles.worth}>{worth}</p>}
    </>
  )
}
