import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { accountEndpoints } from '../../../../contract/accounts.ts'
import { call } from '../../../api.ts'
import { forgetUser, prepareToLeave } from '../../../session.ts'
import { useText } from '../../../text.ts'
import { Callout } from '../../../ui/content/callout.tsx'
import { TextInput } from '../../../ui/fields/fields.tsx'
import dialogStyles from '../../../ui/layers/dialog.module.css'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { toast } from '../../../ui/layers/toast.ts'
import { personalText } from './catalogue.ts'
import styles from './personal.module.css'

export default function DeleteDialog({ username, close }: { username: string; close(): void }) {
  const t = useText(personalText)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState('')
  const remove = useMutation({
    mutationFn: async () => {
      await prepareToLeave()
      return call(accountEndpoints.deleteSelf)
    },
    onSuccess: async () => {
      forgetUser()
      toast.success(t('delete.done'))
      await navigate({ to: '/login' })
      queryClient.removeQueries({ predicate: query => query.queryKey[0] !== 'status' })
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (typed !== username) return toast.error(t('delete.mismatch'))
    remove.mutate()
  }
  return (
    <Dialog opened onClose={close} title={t('delete.title')} size={440}>
      <form className={styles.form} onSubmit={onSubmit} noValidate>
        <Callout tone="error">{t('delete.text')}</Callout>
        <TextInput
          label={t('delete.confirm', { name: username })}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={event => setTyped(event.currentTarget.value)}
          data-autofocus
        />
        <div className={dialogStyles.actions}>
          <Button type="submit" color="red" loading={remove.isPending}>
            {t('delete.act')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
