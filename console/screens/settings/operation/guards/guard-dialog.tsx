import { useState } from 'react'
import { type GuardKind, guardKinds } from '../../../../../contract/guards/kinds.ts'
import { type GuardRule, type GuardSide, guardSides } from '../../../../../contract/guards/rule.ts'
import { useLanguage, useText } from '../../../../text.ts'
import { MultiSelectField } from '../../../../ui/fields/choice-fields.tsx'
import { NativeSelect, Textarea, TextInput } from '../../../../ui/fields/fields.tsx'
import { operationText } from '../catalogue.ts'
import { EntryDialog } from '../entry-dialog.tsx'
import { OwnSecret } from './own-secret.tsx'
import { choiceWords, missingWords } from './rule-words.ts'
import { formOf, type RuleField, type RuleForm, readForm } from './rules.ts'

interface GuardDialogProps {
  /** Undefined for a new one. */
  rule: GuardRule | undefined
  others: readonly GuardRule[]
  onApply(rule: GuardRule): void
  onClose(): void
}

type Typed = Extract<
  keyof RuleForm,
  'name' | 'words' | 'pattern' | 'url' | 'judge' | 'categories' | 'seconds' | 'groups' | 'models'
>
type Chosen = Extract<keyof RuleForm, 'by' | 'action' | 'otherwise'>

/** One rule. What it becomes is saved with the section. */
export default function GuardDialog({ rule: former, others, onApply, onClose }: GuardDialogProps) {
  const t = useText(operationText)
  const language = useLanguage()
  const [tried, setTried] = useState(false)
  const [form, setForm] = useState(() => formOf(former))
  const { rule, faults } = readForm(form, former, others, language)
  const apply = () => {
    setTried(true)
    if (Object.keys(faults).length === 0) onApply(rule)
  }
  const typed = (field: Typed) => ({
    name: field,
    value: form[field],
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) =>
      setForm({ ...form, [field]: event.currentTarget.value }),
  })
  const chosen = (field: Chosen, values: readonly (keyof typeof choiceWords)[]) => ({
    name: field,
    value: form[field],
    data: values.map(value => ({ value, label: t(choiceWords[value]) })),
    onChange: (event: { currentTarget: { value: string } }) =>
      setForm({ ...form, [field]: event.currentTarget.value }),
  })
  const errorOf = (field: RuleField) => {
    const fault = faults[field]
    if (fault === undefined) return undefined
    if (fault !== '') return fault
    return tried ? t(missingWords[field]) : undefined
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
        onChange={where => setForm({ ...form, where: where as GuardSide[] })}
      />
      <NativeSelect
        {...chosen('by', ['kinds', 'words', 'pattern', 'model', 'webhook'])}
        label={t('guard.looks')}
      />
      {form.by === 'kinds' && (
        <MultiSelectField
          label={t('guard.kinds')}
          data={Object.entries(guardKinds).map(([value, label]) => ({ value, label: label[language] }))}
          value={[...form.kinds]}
          error={errorOf('kinds')}
          onChange={kinds => setForm({ ...form, kinds: kinds as GuardKind[] })}
        />
      )}
      {form.by === 'words' && (
        <Textarea
          {...typed('words')}
          label={t('guard.words')}
          description={t('guard.wordsHelp')}
          autosize
          minRows={3}
          maxRows={10}
          error={errorOf('words')}
        />
      )}
      {form.by === 'pattern' && (
        <TextInput
          {...typed('pattern')}
          label={t('guard.pattern')}
          description={t('guard.patternHelp')}
          error={errorOf('pattern')}
        />
      )}
      {form.by === 'webhook' && (
        <>
          <TextInput
            {...typed('url')}
            label={t('guard.url')}
            description={t('guard.urlHelp')}
            type="url"
            error={errorOf('url')}
          />
          <OwnSecret
            secret={form.secret}
            error={errorOf('secret')}
            onChange={secret => setForm({ ...form, secret })}
          />
        </>
      )}
      {form.by === 'model' && (
        <>
          <TextInput
            {...typed('judge')}
            label={t('guard.judge')}
            description={t('guard.judgeHelp')}
            placeholder="omni-moderation-latest"
            error={errorOf('judge')}
          />
          <Textarea
            {...typed('categories')}
            label={t('guard.categories')}
            description={t('guard.categoriesHelp')}
            autosize
            minRows={2}
            maxRows={10}
            error={errorOf('categories')}
          />
        </>
      )}
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
