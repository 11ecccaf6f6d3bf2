import { Textarea } from '@mantine/core'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import { Dialog } from '../layers/dialog.tsx'
import { manualCopy } from './copy.ts'

export default function ManualCopy({ text }: { text: string }) {
  const t = useText(shellText)
  return (
    <Dialog opened onClose={manualCopy.close} title={t('copy.manual')}>
      <Textarea
        aria-label={t('copy.text')}
        value={text}
        readOnly
        autosize
        maxRows={12}
        data-autofocus
        onFocus={event => event.currentTarget.select()}
        styles={{ input: { fontFamily: 'var(--mono)', fontSize: 13 } }}
      />
    </Dialog>
  )
}
