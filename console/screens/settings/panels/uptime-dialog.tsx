import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { optionEndpoints } from '../../../../contract/options.ts'
import type { UptimePage } from '../../../../contract/panels.ts'
import {
  isSlug,
  LONGEST_ADDRESS,
  LONGEST_NOTE,
  LONGEST_ROUTE,
  LONGEST_SLUG,
} from '../../../../contract/settings/panels.ts'
import { isWebAddress } from '../../../../contract/web-address.ts'
import { call } from '../../../api.ts'
import { useText } from '../../../text.ts'
import { TextInput } from '../../../ui/fields/fields.tsx'
import { toast } from '../../../ui/layers/toast.ts'
import { EntryDialog } from '../operation/entry-dialog.tsx'
import { panelsText } from './catalogue.ts'
import type { EntryDialogProps } from './entry-list.tsx'
import { useEntryForm } from './use-entry-form.ts'

const blank: UptimePage = { categoryName: '', url: '', slug: '', description: '' }

export default function UptimeDialog({ entry: former, onApply, onClose }: EntryDialogProps<UptimePage>) {
  const t = useText(panelsText)
  const { entry, typed, tryOut } = useEntryForm(former ?? blank, ['categoryName', 'url', 'slug'])
  const isUrlWrong = entry.url !== '' && !isWebAddress(entry.url)
  const isSlugWrong = entry.slug !== '' && !isSlug(entry.slug)
  const [url, slug] = [typed('url'), typed('slug')]
  return (
    <EntryDialog
      title={former ? t('dialog.edit', { name: former.categoryName }) : t('add')}
      onApply={() => tryOut() && !isUrlWrong && !isSlugWrong && onApply(entry)}
      onClose={onClose}
    >
      <TextInput {...typed('categoryName')} maxLength={LONGEST_ROUTE} data-autofocus />
      <TextInput
        {...url}
        error={isUrlWrong ? t('urlWrong') : url.error}
        type="url"
        placeholder="https://status.example.com"
        spellCheck={false}
        maxLength={LONGEST_ADDRESS}
      />
      <TextInput
        {...slug}
        description={t('slugHelp')}
        error={isSlugWrong ? t('slugWrong') : slug.error}
        spellCheck={false}
        maxLength={LONGEST_SLUG}
      />
      <TextInput {...typed('description')} maxLength={LONGEST_NOTE} />
      <TestPage page={entry} isReady={isWebAddress(entry.url) && isSlug(entry.slug)} />
    </EntryDialog>
  )
}

/** Users are told only that a page is out of reach: who sets it up sees why, before they are. */
function TestPage({ page: { url, slug }, isReady }: { page: UptimePage; isReady: boolean }) {
  const t = useText(panelsText)
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(optionEndpoints.testStatusPage, { body: { url, slug } }),
    onSuccess: ({ monitors }) => toast.success(t('testFound', { count: monitors })),
  })
  return (
    <div>
      <Button variant="default" loading={isPending} disabled={!isReady} onClick={() => mutate()}>
        {t('test')}
      </Button>
    </div>
  )
}
