import { useState } from 'react'
import { useText } from '../../../text.ts'
import { TextInput } from '../../../ui/fields/fields.tsx'
import { SwitchField } from '../../../ui/fields/switch-field.tsx'
import { operationText } from './catalogue.ts'
import { EntryDialog } from './entry-dialog.tsx'
import { type GroupForm, type GroupRow, ratioText, readGroupForm } from './group-rows.ts'

const words = {
  nameRequired: 'group.nameRequired',
  nameTaken: 'group.nameTaken',
  nameWrong: 'group.nameWrong',
  number: 'fault.number',
} as const

interface GroupDialogProps {
  /** Undefined for a new one. */
  row: GroupRow | undefined
  /** The names of the other groups. */
  taken: ReadonlySet<string>
  onApply(row: GroupRow): void
  onClose(): void
}

/** One group. What it becomes is saved with the section. */
export default function GroupDialog({ row: former, taken, onApply, onClose }: GroupDialogProps) {
  const t = useText(operationText)
  const [tried, setTried] = useState(false)
  const [form, setForm] = useState<GroupForm>({
    name: former?.name ?? '',
    ratio: former ? ratioText(former.ratio) : '1',
    usable: former ? former.description !== undefined : true,
    description: former?.description ?? '',
  })
  const { row, faults } = readGroupForm(form, taken, former?.ratio)
  const apply = () => {
    setTried(true)
    if (Object.keys(faults).length === 0) onApply(row)
  }
  const typed = (field: 'name' | 'ratio' | 'description') => ({
    name: field,
    value: form[field],
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) =>
      setForm({ ...form, [field]: event.currentTarget.value }),
  })
  const errorOf = (field: 'name' | 'ratio') => {
    const fault = faults[field]
    return fault && (tried || (fault !== 'nameRequired' && form[field] !== '')) ? t(words[fault]) : undefined
  }
  return (
    <EntryDialog
      title={former ? t('dialog.edit', { name: former.name }) : t('group.add')}
      onApply={apply}
      onClose={onClose}
    >
      <TextInput
        {...typed('name')}
        label={t('group.name')}
        error={errorOf('name')}
        disabled={former?.name === 'default'}
        data-autofocus={former ? undefined : true}
      />
      <TextInput
        {...typed('ratio')}
        label={t('group.ratio')}
        error={errorOf('ratio')}
        inputMode="decimal"
        data-autofocus={former ? true : undefined}
      />
      <SwitchField
        label={t('group.usableLabel')}
        checked={form.usable}
        onChange={event => setForm({ ...form, usable: event.currentTarget.checked })}
      />
      <TextInput {...typed('description')} label={t('group.description')} disabled={!form.usable} />
    </EntryDialog>
  )
}
