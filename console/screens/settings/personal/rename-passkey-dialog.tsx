import { useQueryClient } from '@tanstack/react-query'
import { passkeyEndpoints } from '../../../../contract/sign-in.ts'
import { call } from '../../../api.ts'
import { shellText } from '../../../locales/catalogue.ts'
import { passkeysQuery } from '../../../sign-in/passkeys-query.ts'
import { useText } from '../../../text.ts'
import { personalText } from './catalogue.ts'
import { PasskeyNameDialog } from './passkey-name-dialog.tsx'

interface RenamePasskeyDialogProps {
  passkey: { readonly id: number; readonly name: string }
  close(): void
}

export default function RenamePasskeyDialog({ passkey, close }: RenamePasskeyDialogProps) {
  const t = useText(personalText)
  const shell = useText(shellText)
  const queryClient = useQueryClient()
  const submit = async (name: string) => {
    await call(passkeyEndpoints.passkeyRename, { params: { id: passkey.id }, body: { name } })
    close()
    await queryClient.invalidateQueries(passkeysQuery)
  }
  return (
    <PasskeyNameDialog
      title={t('passkey.rename')}
      action={shell('action.save')}
      initial={passkey.name}
      submit={submit}
      close={close}
    />
  )
}
