import { type GuardRule, type GuardSide, guardSides } from '../../../../../contract/guards/rule.ts'
import { useText } from '../../../../text.ts'
import { MultiSelectField } from '../../../../ui/fields/choice-fields.tsx'
import { NativeSelect, TextInput } from '../../../../ui/fields/fields.tsx'
import { operationText } from '../catalogue.ts'
import { EntryDialog } from '../entry-dialog.tsx'
import { LooksFor } from './looks-for.tsx'
import { choiceWords } from './rule-words.ts'
import { useRuleFields } from './use-rule-fields.ts'

interface GuardDialogProps {
  /** Undefined for a new one. */
  rule: GuardRule | undefined
  others: readonly GuardRule[]
  onApply(rule: GuardRule): void
  onClose(): void
}

/** One rule. What it becomes is saved with the section. */
export default function GuardDialog({ rule: former, others, onApply, onClose }: GuardDialogProps) {
  const t = useText(operationText)
  const fields = useRuleFields(former, others)
  const { form, change, typed, chosen, errorOf } = fields
  const apply = () => {
    const rule = fields.read()
    if (rule) onApply(rule)
  }
  return (
    <EntryDialog
      title={former ? t('dialog.edit', { name: former.name }) : t('guard.add')}
      onApply={apply}
      onClose={onClose}
    >
      <TextInput
        {...typed('name')}
        label={t('guard.name')}
        description={t('guard.nameHelp')}
        maxLength={60}
        error={errorOf('name')}
        data-autofocus
      />
      <MultiSelectField
        label={t('guard.where')}
        data={guardSides.map(value => ({ value, label: t(choiceWords[value]) }))}
        value={[...form.where]}
        error={errorOf('where')}
        onChange={where => change({ where: where as GuardSide[] })}
      />
      <NativeSelect
        {...chosen('by', ['kinds', 'words', 'pattern', 'model', 'webhook'])}
        label={t('guard.looks')}
      />
      <LooksFor {...fields} />
      {form.by !== 'webhook' && (
        <NativeSelect
          {...chosen('action', form.by === 'model' ? ['block', 'note'] : ['mask', 'block', 'note'])}
          label={t('guard.action')}
        />
      )}
      {(form.by === 'webhook' || form.by === 'model') && (
        <>
          <TextInput
            {...typed('seconds')}
            label={t('guard.seconds')}
            inputMode="numeric"
            error={errorOf('seconds')}
          />
          {(form.by === 'webhook' || form.action !== 'note') && (
            <NativeSelect
              {...chosen('otherwise', ['allow', 'block'])}
              label={t('guard.otherwise')}
              description={t('guard.otherwiseHelp')}
            />
          )}
        </>
      )}
      <TextInput {...typed('groups')} label={t('guard.groups')} description={t('guard.groupsHelp')} />
      <TextInput {...typed('models')} label={t('guard.models')} description={t('guard.modelsHelp')} />
    </EntryDialog>
  )
}
