import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { accountEndpoints } from '../../../contract/accounts.ts'
import { call } from '../../api.ts'
import { useCaptcha } from '../../sign-in/captcha.tsx'
import { useCountdown } from '../../sign-in/use-countdown.ts'
import { useText } from '../../text.ts'
import { Callout } from '../../ui/content/callout.tsx'
import { TextInput } from '../../ui/fields/fields.tsx'
import { toast } from '../../ui/layers/toast.ts'
import formStyles from '../../ui/page/auth-card.module.css'
import { AuthCard } from '../../ui/page/auth-card.tsx'
import { resetText } from './catalogue.ts'

const wait = 30

function AskForReset() {
  const t = useText(resetText)
  const captcha = useCaptcha()
  const [email, setEmail] = useState('')
  const { left, begin } = useCountdown(wait)
  const ask = useMutation({
    mutationFn: (address: string) =>
      call(accountEndpoints.askForReset, { query: { email: address, ...captcha.query } }),
    onSuccess: () => {
      toast.success(t('sent'))
      begin()
    },
    onError: captcha.renew,
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (email.trim() === '') return toast.error(t('email.missing'))
    if (captcha.isReady()) ask.mutate(email.trim())
  }
  return (
    <AuthCard title={t('title')} lead={t('lead')}>
      <form className={formStyles.form} onSubmit={onSubmit} noValidate>
        {ask.isSuccess && <Callout>{t('sentLead')}</Callout>}
        <TextInput
          label={t('email')}
          type="email"
          autoComplete="email"
          autoFocus
          spellCheck={false}
          maxLength={254}
          value={email}
          onChange={event => setEmail(event.currentTarget.value)}
        />
        {captcha.widget}
        <Button type="submit" fullWidth loading={ask.isPending} disabled={left > 0}>
          {left > 0 ? t('email.wait', { seconds: left }) : t('send')}
        </Button>
        <div className={formStyles.links}>
          <Link to="/login">{t('toLogin')}</Link>
        </div>
      </form>
    </AuthCard>
  )
}

export const screen = createLazyRoute('/reset')({ component: AskForReset })
