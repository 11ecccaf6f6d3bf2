import { useText } from '../../../text.ts'
import { personalText } from './catalogue.ts'
import { FieldDialog } from './field-dialog.tsx'

interface PasskeyNameDialogProps {
  title: string
  action: string
  description?: string
  initial?: string
  submit(name: string): Promise<unknown>
  close(): void
}

/** What a passkey is to be called. */
export function PasskeyNameDialog(props: PasskeyNameDialogProps) {
  const t = useText(personalText)
  return (
    <FieldDialog
      {...props}
      label={t('name')}
      autoComplete="off"
      maxLength={50}
      missing={t('passkey.nameMissing')}
    />
  )
}
