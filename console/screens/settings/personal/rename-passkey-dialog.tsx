import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { passkeyEndpoints } from '../../../../contract/sign-in.ts'
import { call } from '../../../api.ts'
import { passkeysQuery } from '../../../sign-in/passkeys-query.ts'
import { useText } from '../../../text.ts'
import dialogStyles from '../../../ui/dialog.module.css'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextInput } from '../../../ui/fields.tsx'
import { toast } from '../../../ui/toast.ts'
import { personalText } from './catalogue.ts'
import styles from './personal.module.css'

interface RenamePasskeyDialogProps {
  passkey: { readonly id: number; readonly name: string }
  close(): void
}

export default function RenamePasskeyDialog({ passkey, close }: RenamePasskeyDialogProps) {
  const t = useText(personalText)
  const queryClient = useQueryClient()
  const [name, setName] = useState(passkey.name)
  const rename = useMutation({
    mutationFn: () =>
      call(passkeyEndpoints.passkeyRename, { params: { id: passkey.id }, body: { name: name.trim() } }),
    onSuccess: async () => {
      close()
      await queryClient.invalidateQueries(passkeysQuery)
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return toast.error(t('passkey.nameMissing'))
    rename.mutate()
  }
  return (
    <Dialog opened onClose={close} title={t('passkey.rename')} size={440}>
      <form className={styles.form} onSubmit={onSubmit} noValidate>
        <TextInput
          label={t('passkey.name')}
          autoComplete="off"
          maxLength={50}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
          data-autofocus
        />
        <div className={dialogStyles.actions}>
          <Button type="submit" loading={rename.isPending}>
            {t('passkey.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
