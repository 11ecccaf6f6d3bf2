import { type GuardKind, guardKinds } from '../../../../../contract/guards/kinds.ts'
import { useLanguage, useText } from '../../../../text.ts'
import { MultiSelectField } from '../../../../ui/fields/choice-fields.tsx'
import { Textarea, TextInput } from '../../../../ui/fields/fields.tsx'
import { operationText } from '../catalogue.ts'
import { OwnSecret } from './own-secret.tsx'
import type { RuleFields } from './use-rule-fields.ts'

/** What a rule looks for, or whom it asks. */
export function LooksFor({ form, change, typed, errorOf }: RuleFields) {
  const t = useText(operationText)
  const language = useLanguage()
  switch (form.by) {
    case 'kinds':
      return (
        <MultiSelectField
          label={t('guard.kinds')}
          data={Object.entries(guardKinds).map(([value, label]) => ({ value, label: label[language] }))}
          value={[...form.kinds]}
          error={errorOf('kinds')}
          onChange={kinds => change({ kinds: kinds as GuardKind[] })}
        />
      )
    case 'words':
      return (
        <Textarea
          {...typed('words')}
          label={t('guard.words')}
          description={t('guard.wordsHelp')}
          autosize
          minRows={3}
          maxRows={10}
          error={errorOf('words')}
        />
      )
    case 'pattern':
      return (
        <TextInput
          {...typed('pattern')}
          label={t('guard.pattern')}
          description={t('guard.patternHelp')}
          error={errorOf('pattern')}
        />
      )
    case 'webhook':
      return (
        <>
          <TextInput
            {...typed('url')}
            label={t('guard.url')}
            description={t('guard.urlHelp')}
            type="url"
            error={errorOf('url')}
          />
          <OwnSecret secret={form.secret} error={errorOf('secret')} onChange={secret => change({ secret })} />
        </>
      )
    case 'model':
      return (
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
      )
  }
}
