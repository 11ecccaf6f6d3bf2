import { type Announcement, announcementKinds } from '../../../../contract/panels.ts'
import { LONGEST_CONTENT, LONGEST_NOTE } from '../../../../contract/settings/panels.ts'
import { formatMinute } from '../../../format.ts'
import { useText } from '../../../text.ts'
import DateTimeField from '../../../ui/fields/date-time-field.tsx'
import { NativeSelect, TextInput } from '../../../ui/fields/fields.tsx'
import { HtmlField } from '../html-field.tsx'
import { EntryDialog } from '../operation/entry-dialog.tsx'
import { panelsText } from './catalogue.ts'
import type { EntryDialogProps } from './entry-list.tsx'
import { useEntryForm } from './use-entry-form.ts'
import { kindWords } from './words.ts'

export default function AnnouncementDialog({
  entry: former,
  onApply,
  onClose,
}: EntryDialogProps<Announcement>) {
  const t = useText(panelsText)
  const { entry, form, change, typed, tryOut } = useEntryForm<Announcement>(
    former ?? { content: '', publishDate: new Date().toISOString(), type: 'default', extra: '' },
    ['content'],
  )
  return (
    <EntryDialog
      title={
        former ? t('dialog.edit', { name: formatMinute(Date.parse(former.publishDate) / 1000) }) : t('add')
      }
      onApply={() => tryOut() && onApply(entry)}
      onClose={onClose}
    >
      <HtmlField {...typed('content')} description="Markdown" maxLength={LONGEST_CONTENT} data-autofocus />
      <DateTimeField
        label={t('date')}
        clearable={false}
        value={Math.floor(Date.parse(form.publishDate) / 1000)}
        onChange={seconds =>
          seconds !== undefined && change({ publishDate: new Date(seconds * 1000).toISOString() })
        }
      />
      <NativeSelect
        {...typed('type')}
        data={announcementKinds.map(value => ({ value, label: t(kindWords[value]) }))}
      />
      <TextInput {...typed('extra')} maxLength={LONGEST_NOTE} />
    </EntryDialog>
  )
}
