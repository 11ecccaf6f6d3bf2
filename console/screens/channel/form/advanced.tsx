import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { type TranslateOf, useText } from '../../../text.ts'
import { AutocompleteField } from '../../../ui/fields/choice-fields.tsx'
import { FieldGroup } from '../../../ui/fields/field-group.tsx'
import { TextInput } from '../../../ui/fields/fields.tsx'
import { SwitchField } from '../../../ui/fields/switch-field.tsx'
import type { FieldsProps } from './basics.tsx'
import { formText } from './catalogue.ts'
import type { ChannelDraft } from './channel-draft.ts'
import styles from './form.module.css'
import { JsonField } from './json-field.tsx'
import { SettingFields } from './setting-fields.tsx'
import { proxyIn, readJsonObject } from './setting-text.ts'

const OPENAI = 1
export const mappingTemplate = JSON.stringify({ 'gpt-3.5-turbo': 'gpt-3.5-turbo-0125' }, null, 2)
const codesTemplate = JSON.stringify({ 400: '500' }, null, 2)

/** Closed as long as nobody needs it; what differs from the defaults is told beside its title. */
export function Advanced({ forced, ...props }: FieldsProps & { forced: boolean }) {
  const t = useText(formText)
  const id = useId()
  const [opened, setOpened] = useState(false)
  const isOpen = opened || forced
  const summary = summarize(props.draft.values, t)
  return (
    <section className={styles.advanced}>
      <h3>
        <button
          type="button"
          className={styles.disclose}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpened(!isOpen)}
        >
          <ChevronRight size={16} aria-hidden />
          <span>{t('advanced')}</span>
          <span className={styles.summary}>{summary.join(' · ') || t('advancedDefaults')}</span>
        </button>
      </h3>
      <div id={id} className={styles.fields} hidden={!isOpen}>
        {isOpen && <AdvancedFields {...props} />}
      </div>
    </section>
  )
}

function AdvancedFields({ draft: { values, set }, fault }: FieldsProps) {
  const t = useText(formText)
  const number = (field: 'priority' | 'weight' | 'rpm' | 'tpm' | 'concurrency') => (
    <TextInput
      id={`channel-${field}`}
      label={t(field)}
      inputMode="numeric"
      value={values[field]}
      error={fault(field)}
      onChange={event => set(field, event.currentTarget.value)}
    />
  )
  return (
    <>
      <div className={styles.three}>
        <TextInput
          id="channel-tag"
          label={t('tag')}
          maxLength={255}
          placeholder={t('tagHelp')}
          value={values.tag}
          onChange={event => set('tag', event.currentTarget.value)}
        />
        {number('priority')}
        {number('weight')}
      </div>
      <JsonField
        id="channel-model_mapping"
        label={t('mapping')}
        description={t('mappingHelp')}
        value={values.model_mapping}
        error={fault('model_mapping')}
        templates={[{ label: t('template'), text: () => mappingTemplate }]}
        onChange={text => set('model_mapping', text)}
      />
      {values.type === OPENAI && (
        <TextInput
          id="channel-openai_organization"
          label={t('organization')}
          description={t('organizationHelp')}
          maxLength={255}
          spellCheck={false}
          value={values.openai_organization}
          onChange={event => set('openai_organization', event.currentTarget.value)}
        />
      )}
      <AutocompleteField
        id="channel-test_model"
        label={t('defaultModel')}
        description={t('testModelHelp')}
        data={values.models}
        value={values.test_model}
        onChange={model => set('test_model', model)}
      />
      <SwitchField
        label={t('autoBan')}
        description={t('autoBanHelp')}
        checked={values.auto_ban}
        onChange={event => set('auto_ban', event.currentTarget.checked)}
      />
      <FieldGroup legend={t('limits')}>
        <div className={styles.three}>
          {number('rpm')}
          {number('tpm')}
          {number('concurrency')}
        </div>
      </FieldGroup>
      <JsonField
        id="channel-status_code_mapping"
        label={t('codes')}
        description={t('codesHelp')}
        value={values.status_code_mapping}
        error={fault('status_code_mapping')}
        templates={[{ label: t('template'), text: () => codesTemplate }]}
        onChange={text => set('status_code_mapping', text)}
      />
      <SettingFields
        type={values.type}
        setting={values.setting}
        error={fault('setting')}
        onChange={text => set('setting', text)}
      />
    </>
  )
}

const limits = ['rpm', 'tpm', 'concurrency'] as const

/** What of the advanced fields is not as it is by default. */
function summarize(draft: ChannelDraft, t: TranslateOf<typeof formText>): string[] {
  const pairs = [draft.model_mapping, draft.status_code_mapping, draft.setting].map(
    text => Object.keys(readJsonObject(text) ?? {}).length,
  )
  const [mapping = 0, codes = 0, setting = 0] = pairs
  return [
    ...(draft.tag.trim() ? [`${t('tag')} ${draft.tag.trim()}`] : []),
    ...(draft.priority.trim() === '0' ? [] : [`${t('priority')} ${draft.priority}`]),
    ...(draft.weight.trim() === '0' ? [] : [`${t('weight')} ${draft.weight}`]),
    ...(mapping > 0 ? [`${t('mapping')} ${mapping}`] : []),
    ...(draft.openai_organization && draft.type === OPENAI ? [t('organization')] : []),
    ...(draft.test_model ? [`${t('defaultModel')} ${draft.test_model}`] : []),
    ...(draft.auto_ban ? [] : [t('autoBanOff')]),
    ...(limits.some(limit => draft[limit].trim() !== '0') ? [t('limitsShort')] : []),
    ...(codes > 0 ? [`${t('codes')} ${codes}`] : []),
    ...(proxyIn(draft.setting) ? [t('proxy')] : []),
    ...(setting > (proxyIn(draft.setting) ? 1 : 0) ? [t('setting')] : []),
  ]
}
