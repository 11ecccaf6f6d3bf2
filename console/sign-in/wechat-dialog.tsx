import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useStatus } from '../status.ts'
import { useText } from '../text.ts'
import { TextInput } from '../ui/fields/fields.tsx'
import dialogStyles from '../ui/layers/dialog.module.css'
import { Dialog } from '../ui/layers/dialog.tsx'
import { toast } from '../ui/layers/toast.ts'
import { signInText } from './catalogue.ts'
import styles from './sign-in.module.css'

interface WechatDialogProps {
  title: string
  submit(code: string): Promise<unknown>
  close(): void
}

/** The account's QR code, and a field for the code that it hands out. */
export default function WechatDialog({ title, submit, close }: WechatDialogProps) {
  const t = useText(signInText)
  const status = useStatus()
  const [code, setCode] = useState('')
  const finish = useMutation({ mutationFn: submit })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() === '') return toast.error(t('second.incomplete'))
    finish.mutate(code.trim())
  }
  return (
    <Dialog opened onClose={close} title={title} size={400}>
      {status?.wechat_qrcode && (
        <img className={styles.qrCode} src={status.wechat_qrcode} alt={t('wechat.qrCode')} />
      )}
      <p className={styles.scan}>{t('wechat.lead')}</p>
      <form onSubmit={onSubmit} noValidate>
        <TextInput
          label={t('second.code')}
          autoComplete="one-time-code"
          maxLength={50}
          value={code}
          onChange={event => setCode(event.currentTarget.value)}
          data-autofocus
        />
        <div className={dialogStyles.actions}>
          <Button type="submit" loading={finish.isPending}>
            {title}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
