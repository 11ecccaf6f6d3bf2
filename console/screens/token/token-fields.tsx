import { useQuery } from '@tanstack/react-query'
import { accountEndpoints } from '../../../contract/accounts.ts'
import { call } from '../../api.ts'
import { describeGroup } from '../../describe-group.ts'
import { formatRatio } from '../../format.ts'
import { usableMcpQuery } from '../../mcp/mcp-query.ts'
import { useText } from '../../text.ts'
import { MultiSelectField, SelectField, TagsField } from '../../ui/fields/choice-fields.tsx'
import { ExpiryField } from '../../ui/fields/expiry-field.tsx'
import { FieldGroup } from '../../ui/fields/field-group.tsx'
import { TextInput } from '../../ui/fields/fields.tsx'
import { LinesField } from '../../ui/fields/lines-field.tsx'
import { QuickChoices } from '../../ui/fields/quick-choices.tsx'
import { QuotaField } from '../../ui/fields/quota-field.tsx'
import { SwitchField } from '../../ui/fields/switch-field.tsx'
import type { Draft } from '../../ui/layers/use-draft.ts'
import { tokenText } from './catalogue.ts'
import { RefillFields } from './refill-fields.tsx'
import styles from './token.module.css'
import type { TokenDraft } from './token-draft.ts'
import { ownGroupsQuery } from './tokens-query.ts'

interface TokenFieldsProps {
  draft: Draft<TokenDraft>
  faults: Partial<Record<keyof TokenDraft, string>>
  isNew: boolean
}

export function TokenFields({ draft, faults, isNew }: TokenFieldsProps) {
  const t = useText(tokenText)
  const { values, set } = draft
  const limit = (field: 'rpm' | 'tpm' | 'concurrency') => (
    <TextInput
      id={`token-${field}`}
      label={t(field)}
      inputMode="numeric"
      value={values[field]}
      error={faults[field]}
      onChange={event => set(field, event.currentTarget.value)}
    />
  )
  return (
    <>
      <TextInput
        id="token-name"
        label={t('name')}
        description={t('nameHelp')}
        required={isNew}
        data-autofocus
        value={values.name}
        error={faults.name}
        onChange={event => set('name', event.currentTarget.value)}
      />
      <ExpiryField id="token-expires" value={values.expires} onChange={end => set('expires', end)} />
      <QuotaField
        id="token-quota"
        label={t('quota')}
        value={values.quota}
        disabled={values.unlimited}
        error={faults.quota}
        onChange={quota => set('quota', quota)}
      />
      <SwitchField
        label={t('unlimitedQuota')}
        checked={values.unlimited}
        onChange={event => set('unlimited', event.currentTarget.checked)}
      />
      {!values.unlimited && <RefillFields draft={draft} fault={faults.refillQuota} />}
      {isNew && (
        <div>
          <TextInput
            id="token-count"
            label={t('count')}
            description={t('countHelp')}
            inputMode="numeric"
            value={values.count}
            error={faults.count}
            onChange={event => set('count', event.currentTarget.value)}
          />
          <QuickChoices
            label={t('count')}
            choices={[10, 20, 30, 100].map(count => ({
              label: String(count),
              active: values.count === String(count),
              choose: () => set('count', String(count)),
            }))}
          />
        </div>
      )}
      <GroupField value={values.group} onChange={group => set('group', group)} />
      <ModelLimits draft={draft} />
      <LinesField
        id="token-ips"
        label={t('ips')}
        description={t('ipsHelp')}
        value={values.ips}
        onChange={ips => set('ips', ips)}
      />
      <TagsField
        id="token-labels"
        label={t('labels')}
        description={t('labelsHelp')}
        placeholder={values.labels.length === 0 ? 'project:search' : ''}
        value={values.labels}
        error={faults.labels}
        onChange={labels => set('labels', labels)}
      />
      <FieldGroup legend={t('limits')}>
        <div className={styles.pair}>
          {limit('rpm')}
          {limit('tpm')}
          {limit('concurrency')}
        </div>
      </FieldGroup>
    </>
  )
}

function GroupField({ value, onChange }: { value: string; onChange(group: string): void }) {
  const t = useText(tokenText)
  const { data } = useQuery(ownGroupsQuery)
  const groups = Object.entries(data ?? {}).map(([name, { desc, ratio }]) => ({
    value: name,
    label: [
      name,
      describeGroup(name, desc),
      t('ratio', { ratio: `${name === 'auto' ? '≤ ' : ''}${formatRatio(ratio)}` }),
    ]
      .filter(Boolean)
      .join(' · '),
  }))
  // One that is offered no more is still the token's, and why its calls are refused.
  const isKnown = value === '' || groups.some(group => group.value === value)
  return (
    <SelectField
      id="token-group"
      label={t('group')}
      description={t('groupHelp')}
      placeholder={t('groupOfUser')}
      clearable
      allowDeselect
      data={isKnown ? groups : [...groups, { value, label: value }]}
      value={value === '' ? null : value}
      onChange={group => onChange(group ?? '')}
    />
  )
}

function ModelLimits({ draft: { values, set } }: { draft: Draft<TokenDraft> }) {
  const t = useText(tokenText)
  const { data } = useQuery({
    queryKey: ['own-models'],
    queryFn: ({ signal }) => call(accountEndpoints.usableModels, { signal }),
    enabled: values.limitModels,
  })
  const servers = useQuery({ ...usableMcpQuery, enabled: values.limitModels }).data ?? []
  const tools = servers.map(({ name }) => `mcp/${name}`)
  const models = [...new Set([...(data ?? []), ...tools, ...values.models])]
  return (
    <div>
      <SwitchField
        label={t('limitModels')}
        checked={values.limitModels}
        onChange={event => {
          const { checked } = event.currentTarget
          set('limitModels', checked)
          // Which ones is the next question.
          if (checked) setTimeout(() => document.getElementById('token-models')?.focus())
        }}
      />
      <MultiSelectField
        id="token-models"
        mt={8}
        aria-label={t('models')}
        placeholder={t('models')}
        disabled={!values.limitModels}
        data={models}
        value={values.models}
        onChange={chosen => set('models', chosen)}
      />
    </div>
  )
}
