import { type ApiAddress, panelColours } from '../../../../contract/panels.ts'
import { LONGEST_ADDRESS, LONGEST_NOTE, LONGEST_ROUTE } from '../../../../contract/settings/panels.ts'
import { isWebAddress } from '../../../../contract/web-address.ts'
import { useText } from '../../../text.ts'
import { NativeSelect, TextInput } from '../../../ui/fields/fields.tsx'
import { EntryDialog } from '../operation/entry-dialog.tsx'
import { panelsText } from './catalogue.ts'
import type { EntryDialogProps } from './entry-list.tsx'
import { useEntryForm } from './use-entry-form.ts'
import { colourWords } from './words.ts'

const blank: ApiAddress = { url: '', route: '', description: '', color: 'blue' }

export default function AddressDialog({ entry: former, onApply, onClose }: EntryDialogProps<ApiAddress>) {
  const t = useText(panelsText)
  const { entry, typed, tryOut } = useEntryForm(former ?? blank, ['url', 'route'])
  const isWrong = entry.url !== '' && !isWebAddress(entry.url)
  const url = typed('url')
  return (
    <EntryDialog
      title={former ? t('dialog.edit', { name: former.route }) : t('add')}
      onApply={() => tryOut() && !isWrong && onApply(entry)}
      onClose={onClose}
    >
      <TextInput
        {...url}
        error={isWrong ? t('urlWrong') : url.error}
        type="url"
        placeholder="https://"
        spellCheck={false}
        maxLength={LONGEST_ADDRESS}
        data-autofocus
      />
      <TextInput {...typed('route')} maxLength={LONGEST_ROUTE} />
      <TextInput {...typed('description')} maxLength={LONGEST_NOTE} />
      <NativeSelect
        {...typed('color')}
        data={panelColours.map(value => ({ value, label: t(colourWords[value]) }))}
      />
    </EntryDialog>
  )
}
