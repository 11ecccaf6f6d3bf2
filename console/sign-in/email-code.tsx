import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { accountEndpoints } from '../../contract/accounts.ts'
import { call } from '../api.ts'
import { useText } from '../text.ts'
import { TextInput } from '../ui/fields/fields.tsx'
import { toast } from '../ui/layers/toast.ts'
import type { Captcha } from './captcha.tsx'
import { signInText } from './catalogue.ts'
import styles from './sign-in.module.css'
import { useCountdown } from './use-countdown.ts'

const wait = 30

interface EmailCodeProps {
  captcha: Captcha
  /** What stands in the address field right now. */
  readEmail(): string
  email: ComponentProps<typeof TextInput>
  code: ComponentProps<typeof TextInput>
}

/** An address, a button that mails a code there, and the field for it. */
export function EmailCode({ captcha, readEmail, email, code }: EmailCodeProps) {
  const t = useText(signInText)
  const { left, begin } = useCountdown(wait)
  const send = useMutation({
    mutationFn: (address: string) =>
      call(accountEndpoints.sendEmailCode, { query: { email: address, ...captcha.query } }),
    onSuccess: () => {
      toast.success(t('email.sent'))
      begin()
    },
    onError: captcha.renew,
  })
  const ask = () => {
    const address = readEmail().trim()
    if (address === '') return toast.error(t('email.missing'))
    if (captcha.isReady()) send.mutate(address)
  }
  return (
    <>
      <div className={styles.code}>
        <TextInput
          label={t('email')}
          type="email"
          autoComplete="email"
          spellCheck={false}
          maxLength={50}
          data-autofocus
          {...email}
        />
        <Button
          variant="default"
          className={styles.send}
          disabled={left > 0}
          loading={send.isPending}
          onClick={ask}
        >
          {left > 0 ? t('email.wait', { seconds: left }) : t('email.send')}
        </Button>
      </div>
      <TextInput
        label={t('email.code')}
        autoComplete="one-time-code"
        spellCheck={false}
        maxLength={20}
        {...code}
      />
    </>
  )
}
