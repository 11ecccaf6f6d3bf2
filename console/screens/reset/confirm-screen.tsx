import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { accountEndpoints } from '../../../contract/accounts.ts'
import { call } from '../../api.ts'
import { arrivedWith } from '../../sign-in/arrival.ts'
import { useText } from '../../text.ts'
import { Callout } from '../../ui/content/callout.tsx'
import { CopyButton } from '../../ui/content/copy-button.tsx'
import { TextInput } from '../../ui/fields/fields.tsx'
import formStyles from '../../ui/page/auth-card.module.css'
import { AuthCard } from '../../ui/page/auth-card.tsx'
import { resetText } from './catalogue.ts'

const mono = { input: { fontFamily: 'var(--mono)' } }

function ConfirmReset() {
  const t = useText(resetText)
  const { email, token } = useLink()
  const reset = useMutation({
    mutationFn: () => call(accountEndpoints.resetPassword, { body: { email, token } }),
  })
  if (email === '' || token === '')
    return (
      <AuthCard title={t('title')}>
        <div className={formStyles.form}>
          <Callout tone="error">{t('badLink')}</Callout>
          <Button component={Link} to="/reset" fullWidth>
            {t('askAgain')}
          </Button>
        </div>
      </AuthCard>
    )
  if (reset.isSuccess)
    return (
      <AuthCard title={t('doneTitle')} lead={t('doneLead')}>
        <div className={formStyles.form}>
          <TextInput
            label={t('newPassword')}
            value={reset.data}
            readOnly
            styles={mono}
            onFocus={event => event.currentTarget.select()}
            rightSection={<CopyButton text={reset.data} label={t('copy')} />}
            rightSectionWidth={40}
          />
          <Button component={Link} to="/login" mt={8} fullWidth>
            {t('toLogin')}
          </Button>
        </div>
      </AuthCard>
    )
  return (
    <AuthCard title={t('title')} lead={t('confirmLead')}>
      <div className={formStyles.form}>
        <TextInput label={t('email')} value={email} readOnly />
        <Button mt={8} fullWidth loading={reset.isPending} onClick={() => reset.mutate()} autoFocus>
          {t('confirm')}
        </Button>
        {reset.isError && (
          <div className={formStyles.links}>
            <Link to="/reset">{t('askAgain')}</Link>
          </div>
        )}
      </div>
    </AuthCard>
  )
}

/** What the link of the mail says; then it is taken out of the address bar, where histories would keep it. */
function useLink(): { email: string; token: string } {
  const search = screen.useSearch()
  const navigate = useNavigate()
  const [link] = useState(() => {
    const exact = arrivedWith('/user/reset')
    return {
      email: exact.get('email') ?? search.email ?? '',
      token: exact.get('token') ?? search.token ?? '',
    }
  })
  useEffect(() => {
    if (search.token !== undefined) navigate({ to: '/user/reset', search: {}, replace: true }).catch(() => {})
  }, [search.token, navigate])
  return link
}

export const screen = createLazyRoute('/user/reset')({ component: ConfirmReset })
