import { useQueryClient } from '@tanstack/react-query'
import { passkeyEndpoints } from '../../../../contract/sign-in.ts'
import { call } from '../../../api.ts'
import { createPasskey, isHereAlready, wasCancelled } from '../../../sign-in/passkeys.ts'
import { passkeysQuery } from '../../../sign-in/passkeys-query.ts'
import { useText } from '../../../text.ts'
import { toast } from '../../../ui/layers/toast.ts'
import { personalText } from './catalogue.ts'
import { PasskeyNameDialog } from './passkey-name-dialog.tsx'

/** A name first; then the browser's own dialog. */
export default function AddPasskeyDialog({ close }: { close(): void }) {
  const t = useText(personalText)
  const queryClient = useQueryClient()
  const submit = async (name: string) => {
    const outcome = await addPasskey(name)
    if (outcome === 'cancelled') return toast.warning(t('passkey.cancelled'))
    if (outcome === 'here') return toast.warning(t('passkey.here'))
    toast.success(t('passkey.added'))
    close()
    await queryClient.invalidateQueries(passkeysQuery)
  }
  return (
    <PasskeyNameDialog
      title={t('passkey.add')}
      action={t('passkey.add')}
      description={t('passkey.nameHint')}
      submit={submit}
      close={close}
    />
  )
}

async function addPasskey(name: string): Promise<'added' | 'cancelled' | 'here'> {
  try {
    const ceremony = await call(passkeyEndpoints.passkeyRegisterBegin)
    const credential = await createPasskey(ceremony)
    await call(passkeyEndpoints.passkeyRegisterFinish, { body: { ...credential, name } })
    return 'added'
  } catch (error) {
    if (wasCancelled(error)) return 'cancelled'
    if (isHereAlready(error)) return 'here'
    throw error
  }
}
