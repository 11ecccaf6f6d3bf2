import { useText } from '../../../text.ts'
import { personalText } from './catalogue.ts'
import { FieldDialog } from './field-dialog.tsx'

interface CodeDialogProps {
  title: string
  lead: string
  destructive: boolean
  submit(code: string): Promise<unknown>
  close(): void
}

/** Asks for an authenticator or backup code before something is done. */
export default function CodeDialog(props: CodeDialogProps) {
  const t = useText(personalText)
  return (
    <FieldDialog
      {...props}
      label={t('second.code')}
      description={t('second.help')}
      autoComplete="one-time-code"
      maxLength={20}
      missing={t('second.incomplete')}
      action={props.title}
    />
  )
}
