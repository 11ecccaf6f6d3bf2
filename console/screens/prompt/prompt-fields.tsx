import { useQuery } from '@tanstack/react-query'
import { MOST_PROMPT_LABELS, PRODUCTION, type PromptLabel, promptEfforts } from '../../../contract/prompts.ts'
import { answersChats } from '../../clients/chat-models.ts'
import { useText } from '../../text.ts'
import { AutocompleteField, TagsField } from '../../ui/fields/choice-fields.tsx'
import { FieldGroup } from '../../ui/fields/field-group.tsx'
import { NativeSelect, TextInput } from '../../ui/fields/fields.tsx'
import { SwitchField } from '../../ui/fields/switch-field.tsx'
import type { Draft } from '../../ui/layers/use-draft.ts'
import { promptText } from './catalogue.ts'
import { MessageList } from './message-list.tsx'
import styles from './prompt.module.css'
import { numberNames, type PromptDraft } from './prompt-draft.ts'
import { modelsQuery } from './prompts-query.ts'

interface PromptFieldsProps {
  draft: Draft<PromptDraft>
  faults: Partial<Record<keyof PromptDraft, string>>
  /** Of a prompt that is there already, the labels that it has. */
  known: readonly PromptLabel[] | undefined
}

export function PromptFields({ draft: { values, set }, faults, known }: PromptFieldsProps) {
  const t = useText(promptText)
  const isNew = known === undefined
  const { data: models = [] } = useQuery(modelsQuery)
  return (
    <>
      <TextInput
        id="prompt-name"
        label={t('name')}
        description={t('nameHelp')}
        placeholder="support-reply"
        required
        data-autofocus
        spellCheck={false}
        value={values.name}
        error={faults.name}
        onChange={event => set('name', event.currentTarget.value)}
      />
      <MessageList
        messages={values.messages}
        fault={faults.messages}
        onChange={messages => set('messages', messages)}
      />
      <AutocompleteField
        id="prompt-model"
        label={t('model')}
        description={t('modelHelp')}
        placeholder={t('modelOfCaller')}
        data={models.filter(answersChats)}
        value={values.model}
        onChange={model => set('model', model)}
      />
      <FieldGroup legend={t('parameters')}>
        <div className={styles.parameters}>
          {numberNames.map(name => (
            <TextInput
              key={name}
              id={`prompt-${name}`}
              label={name}
              inputMode="decimal"
              value={values[name]}
              error={faults[name]}
              onChange={event => set(name, event.currentTarget.value)}
            />
          ))}
          <NativeSelect
            id="prompt-effort"
            label={t('effort')}
            data={['', ...promptEfforts]}
            value={values.effort}
            onChange={event => set('effort', event.currentTarget.value)}
          />
          <div className={styles.wide}>
            <TagsField
              id="prompt-stop"
              label={t('stop')}
              maxTags={4}
              value={values.stop}
              onChange={stop => set('stop', stop)}
            />
          </div>
        </div>
      </FieldGroup>
      <TextInput
        id="prompt-note"
        label={t('change')}
        description={t('changeHelp')}
        maxLength={300}
        value={values.note}
        onChange={event => set('note', event.currentTarget.value)}
      />
      {!isNew && (
        <SwitchField
          label={t('useNow')}
          checked={values.use}
          onChange={event => set('use', event.currentTarget.checked)}
        />
      )}
      <TagsField
        id="prompt-labels"
        label={t('labels')}
        description={t('labelsHelp')}
        data={[...new Set([...(known ?? []).map(({ label }) => label), 'staging'])].filter(
          label => label !== PRODUCTION,
        )}
        maxTags={MOST_PROMPT_LABELS}
        value={values.labels}
        error={faults.labels}
        onChange={labels => set('labels', labels)}
      />
    </>
  )
}
