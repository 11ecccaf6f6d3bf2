import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { accountEndpoints } from '../../../../contract/accounts.ts'
import { call } from '../../../api.ts'
import { selfQuery } from '../../../self.ts'
import { useCaptcha } from '../../../sign-in/captcha.tsx'
import { EmailCode } from '../../../sign-in/email-code.tsx'
import { useText } from '../../../text.ts'
import dialogStyles from '../../../ui/layers/dialog.module.css'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { toast } from '../../../ui/layers/toast.ts'
import { personalText } from './catalogue.ts'
import styles from './personal.module.css'

export default function EmailDialog({ userId, close }: { userId: number; close(): void }) {
  const t = useText(personalText)
  const queryClient = useQueryClient()
  const captcha = useCaptcha()
  const [email, setEmail] = useState('')
  const [code, setCode] = useState('')
  const bind = useMutation({
    mutationFn: () => call(accountEndpoints.bindEmail, { query: { email: email.trim(), code: code.trim() } }),
    onSuccess: async () => {
      toast.success(t('bind.emailDone'))
      close()
      await queryClient.invalidateQueries(selfQuery(userId))
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (email.trim() === '') return toast.error(t('email.missing'))
    if (code.trim() === '') return toast.error(t('email.codeMissing'))
    bind.mutate()
  }
  return (
    <Dialog opened onClose={close} title={t('bind.emailTitle')} size={440}>
      <form className={styles.form} onSubmit={onSubmit} noValidate>
        <EmailCode
          captcha={captcha}
          readEmail={() => email}
          email={{
            value: email,
            maxLength: 254,
            onChange: event => setEmail(event.currentTarget.value),
          }}
          code={{ value: code, onChange: event => setCode(event.currentTarget.value) }}
        />
        {captcha.widget}
        <div className={dialogStyles.actions}>
          <Button type="submit" loading={bind.isPending}>
            {t('bind.act')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
