import { Button } from '@mantine/core'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { FirstStep, SignedIn } from '../../../contract/users.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useEnter } from '../../sign-in/enter.ts'
import { useInviteCode } from '../../sign-in/invite-code.ts'
import { LegalPages } from '../../sign-in/legal.tsx'
import { OtherWays } from '../../sign-in/other-ways.tsx'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { Callout } from '../../ui/content/callout.tsx'
import formStyles from '../../ui/page/auth-card.module.css'
import { AuthCard } from '../../ui/page/auth-card.tsx'
import { lazyPart } from '../../ui/page/lazy-part.ts'
import { ScreenSkeleton } from '../../ui/page/skeleton.tsx'
import { registerText } from './catalogue.ts'
import { RegisterForm } from './register-form.tsx'

const SecondStep = lazyPart(() => import('../../sign-in/second-step.tsx'))

function Register() {
  const t = useText(registerText)
  const shell = useText(shellText)
  const status = useStatus()
  const enter = useEnter()
  const [ticket, setTicket] = useState<FirstStep>()
  useInviteCode('/register', screen.useSearch())
  const onSignedIn = async (answer: SignedIn, home?: 'home') => {
    if ('require_2fa' in answer) setTicket(answer)
    else await enter(answer, home)
  }
  if (!status) return <ScreenSkeleton />
  if (!status.register_enabled)
    return (
      <AuthCard title={shell('nav.register')}>
        <div className={formStyles.form}>
          <Callout>{t('closed')}</Callout>
          <Button component={Link} to="/login" fullWidth>
            {t('toLogin')}
          </Button>
        </div>
      </AuthCard>
    )
  const byPassword = status.password_register_enabled
  return (
    <AuthCard title={shell('nav.register')} lead={t('lead', { name: status.system_name })}>
      {ticket ? (
        <Suspense>
          <SecondStep
            first={ticket}
            onDone={user => enter(user, 'home')}
            onBack={() => setTicket(undefined)}
          />
        </Suspense>
      ) : (
        <div className={formStyles.form}>
          {byPassword ? (
            <RegisterForm
              withEmail={status.email_verification}
              onEntered={user => enter(user, 'home', t('done'))}
            />
          ) : (
            <Callout>{t('passwordOff')}</Callout>
          )}
          <OtherWays status={status} below={byPassword} purpose="register" onSignedIn={onSignedIn} />
          <div className={formStyles.links}>
            <span>
              {t('hasAccount')} <Link to="/login">{t('toLogin')}</Link>
            </span>
          </div>
          {!byPassword && <LegalPages status={status} />}
        </div>
      )}
    </AuthCard>
  )
}

export const screen = createLazyRoute('/register')({ component: Register })
