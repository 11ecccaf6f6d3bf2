import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { passkeyEndpoints } from '../../../../contract/sign-in.ts'
import { call } from '../../../api.ts'
import { createPasskey, wasCancelled } from '../../../sign-in/passkeys.ts'
import { passkeysQuery } from '../../../sign-in/passkeys-query.ts'
import { useText } from '../../../text.ts'
import dialogStyles from '../../../ui/dialog.module.css'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextInput } from '../../../ui/fields.tsx'
import { toast } from '../../../ui/toast.ts'
import { personalText } from './catalogue.ts'
import styles from './personal.module.css'

/** A name first; then the browser's own dialog. */
export default function AddPasskeyDialog({ close }: { close(): void }) {
  const t = useText(personalText)
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const add = useMutation({
    mutationFn: () => addPasskey(name.trim()),
    onSuccess: async outcome => {
      if (outcome === 'cancelled') return toast.warning(t('passkey.cancelled'))
      toast.success(t('passkey.added'))
      close()
      await queryClient.invalidateQueries(passkeysQuery)
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return toast.error(t('passkey.nameMissing'))
    add.mutate()
  }
  return (
    <Dialog opened onClose={close} title={t('passkey.add')} size={440}>
      <form className={styles.form} onSubmit={onSubmit} noValidate>
        <TextInput
          label={t('passkey.name')}
          description={t('passkey.nameHint')}
          autoComplete="off"
          maxLength={50}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
          data-autofocus
        />
        <div className={dialogStyles.actions}>
          <Button type="submit" loading={add.isPending}>
            {t('passkey.add')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

async function addPasskey(name: string): Promise<'added' | 'cancelled'> {
  try {
    const ceremony = await call(passkeyEndpoints.passkeyRegisterBegin)
    const credential = await createPasskey(ceremony)
    await call(passkeyEndpoints.passkeyRegisterFinish, { body: { ...credential, name } })
    return 'added'
  } catch (error) {
    if (wasCancelled(error)) return 'cancelled'
    throw error
  }
}
