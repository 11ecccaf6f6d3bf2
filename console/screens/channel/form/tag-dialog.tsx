import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { channelEndpoints } from '../../../../contract/channels.ts'
import { call } from '../../../api.ts'
import { groupsQuery } from '../../../groups-query.ts'
import { useText } from '../../../text.ts'
import { Callout } from '../../../ui/content/callout.tsx'
import { MultiSelectField } from '../../../ui/fields/choice-fields.tsx'
import { TextInput } from '../../../ui/fields/fields.tsx'
import dialogStyles from '../../../ui/layers/dialog.module.css'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { toast } from '../../../ui/layers/toast.ts'
import { useDraft } from '../../../ui/layers/use-draft.ts'
import { refreshChannels } from '../channels-query.ts'
import type { TagRow } from '../rows.ts'
import { mappingTemplate } from './advanced.tsx'
import { formText } from './catalogue.ts'
import styles from './form.module.css'
import { JsonField } from './json-field.tsx'
import { ModelsField } from './models-field.tsx'
import { draftOfTag, editOfTag, faultsOfTag, type TagDraft } from './tag-draft.ts'
import { useStableSet } from './use-stable-set.ts'

export default function TagDialog({ row: { tag, channels }, close }: { row: TagRow; close(): void }) {
  const t = useText(formText)
  const { values, set } = useDraft(draftOfTag(tag))
  const setModels = useStableSet<TagDraft, 'models'>(set, 'models')
  const groups = useQuery(groupsQuery).data ?? []
  const [tried, setTried] = useState(false)
  const faults = tried ? faultsOfTag(values) : {}
  const fault = (field: keyof TagDraft) => {
    const found = faults[field]
    return found && t(found)
  }
  const { mutate, isPending } = useMutation({
    mutationFn: (body: NonNullable<ReturnType<typeof editOfTag>>) => call(channelEndpoints.editTag, { body }),
    onSuccess: async () => {
      toast.success(t('tagUpdated'))
      close()
      await refreshChannels()
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (Object.keys(faultsOfTag(values)).length > 0) return
    const edit = editOfTag(tag, values)
    if (!edit) return toast.warning(t('tagUnchanged'))
    mutate(edit)
  }
  const number = (field: 'priority' | 'weight') => (
    <TextInput
      label={t(field)}
      placeholder={t('unchanged')}
      inputMode="numeric"
      value={values[field]}
      error={fault(field)}
      onChange={event => set(field, event.currentTarget.value)}
    />
  )
  return (
    <Dialog opened onClose={close} title={t('tagEdit', { tag })} size={560}>
      <form className={styles.fields} onSubmit={onSubmit} noValidate>
        <Callout>{t('tagNote', { count: channels.length })}</Callout>
        <TextInput
          label={t('tagName')}
          description={t('tagDisband')}
          maxLength={255}
          value={values.name}
          onChange={event => set('name', event.currentTarget.value)}
        />
        <ModelsField
          id="tag-models"
          label={t('models')}
          description={t('tagModelsHelp')}
          models={values.models}
          onChange={setModels}
        />
        <MultiSelectField
          label={t('group')}
          placeholder={values.groups.length === 0 ? t('unchanged') : ''}
          data={groups}
          value={values.groups}
          onChange={chosen => set('groups', chosen)}
        />
        <JsonField
          id="tag-model_mapping"
          label={t('mapping')}
          description={t('mappingHelp')}
          value={values.model_mapping}
          error={fault('model_mapping')}
          templates={[{ label: t('template'), text: () => mappingTemplate }]}
          onChange={text => set('model_mapping', text)}
        />
        <div className={styles.two}>
          {number('priority')}
          {number('weight')}
        </div>
        <div className={dialogStyles.actions}>
          <Button variant="default" onClick={close}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={isPending}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
