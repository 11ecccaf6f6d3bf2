import { useState } from 'react'
import type { GuardRule } from '../../../../../contract/guards/rule.ts'
import { useLanguage, useText } from '../../../../text.ts'
import { operationText } from '../catalogue.ts'
import { choiceWords, missingWords } from './rule-words.ts'
import { formOf, type RuleField, type RuleForm, readForm } from './rules.ts'

type Typed = Extract<
  keyof RuleForm,
  'name' | 'words' | 'pattern' | 'url' | 'judge' | 'categories' | 'seconds' | 'groups' | 'models'
>
type Chosen = Extract<keyof RuleForm, 'by' | 'action' | 'otherwise'>

export type RuleFields = ReturnType<typeof useRuleFields>

/** The form of one rule, and what each of its fields needs. `former` is undefined for a new one. */
export function useRuleFields(former: GuardRule | undefined, others: readonly GuardRule[]) {
  const t = useText(operationText)
  const language = useLanguage()
  const [tried, setTried] = useState(false)
  const [form, setForm] = useState(() => formOf(former))
  const { rule, faults } = readForm(form, former, others, language)
  const change = (changes: Partial<RuleForm>) => setForm({ ...form, ...changes })
  const written = (field: Typed | Chosen) => ({
    name: field,
    value: form[field],
    onChange: (event: { currentTarget: { value: string } }) => change({ [field]: event.currentTarget.value }),
  })
  return {
    form,
    change,
    typed: (field: Typed) => ({ ...written(field), autoComplete: 'off', spellCheck: false }),
    chosen: (field: Chosen, values: readonly (keyof typeof choiceWords)[]) => ({
      ...written(field),
      data: values.map(value => ({ value, label: t(choiceWords[value]) })),
    }),
    /** That something is missing is said only of what somebody has tried to apply. */
    errorOf(field: RuleField) {
      const fault = faults[field]
      if (fault === undefined) return undefined
      if (fault !== '') return fault
      return tried ? t(missingWords[field]) : undefined
    },
    /** The rule, where it is one. */
    read(): GuardRule | undefined {
      setTried(true)
      return Object.keys(faults).length === 0 ? rule : undefined
    },
  }
}
