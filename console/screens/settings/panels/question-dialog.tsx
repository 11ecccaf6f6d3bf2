import type { Question } from '../../../../contract/panels.ts'
import { LONGEST_CONTENT, LONGEST_QUESTION } from '../../../../contract/settings/panels.ts'
import { useText } from '../../../text.ts'
import { TextInput } from '../../../ui/fields/fields.tsx'
import { HtmlField } from '../html-field.tsx'
import { EntryDialog } from '../operation/entry-dialog.tsx'
import { panelsText } from './catalogue.ts'
import type { EntryDialogProps } from './entry-list.tsx'
import { useEntryForm } from './use-entry-form.ts'

export default function QuestionDialog({ entry: former, onApply, onClose }: EntryDialogProps<Question>) {
  const t = useText(panelsText)
  const { entry, typed, tryOut } = useEntryForm(former ?? { question: '', answer: '' }, [
    'question',
    'answer',
  ])
  return (
    <EntryDialog
      title={former ? t('dialog.edit', { name: former.question }) : t('add')}
      onApply={() => tryOut() && onApply(entry)}
      onClose={onClose}
    >
      <TextInput {...typed('question')} maxLength={LONGEST_QUESTION} data-autofocus />
      <HtmlField {...typed('answer')} description="Markdown" maxLength={LONGEST_CONTENT} />
    </EntryDialog>
  )
}
