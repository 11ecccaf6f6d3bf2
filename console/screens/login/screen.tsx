import { createLazyRoute, Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { FirstStep, SignedIn, UserView } from '../../../contract/users.ts'
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
import { loginText } from './catalogue.ts'
import { PasswordForm } from './password-form.tsx'

const SecondStep = lazyPart(() => import('../../sign-in/second-step.tsx'))

interface Ticket {
  readonly first: FirstStep
  readonly home: 'home' | undefined
}

function Login() {
  const t = useText(loginText)
  const shell = useText(shellText)
  const search = screen.useSearch()
  const status = useStatus()
  const enter = useEnter()
  const [ticket, setTicket] = useState<Ticket>()
  useInviteCode('/login', search)
  const onSignedIn = async (answer: SignedIn, home?: 'home') => {
    if ('require_2fa' in answer) setTicket({ first: answer, home })
    else await enter(answer, home)
  }
  // Who leaves before the next screen has come is back here, and begins anew.
  const finish = async (user: UserView) => {
    await enter(user, ticket?.home)
    setTicket(undefined)
  }
  if (ticket)
    return (
      <AuthCard title={t('second.title')} lead={t('oauth.second')}>
        <Suspense>
          <SecondStep first={ticket.first} onDone={finish} onBack={() => setTicket(undefined)} />
        </Suspense>
      </AuthCard>
    )
  // Until the first answer is there, what nearly everyone has is shown.
  const byPassword = status?.password_login_enabled ?? true
  return (
    <AuthCard title={shell('nav.login')} lead={t('lead', { name: status?.system_name ?? '' })}>
      <div className={formStyles.form}>
        {search.expired && <Callout tone="warning">{shell('error.loggedOut')}</Callout>}
        {status?.setup === false && (
          <Callout>
            {t('notSetUp')} <Link to="/setup">{t('toSetup')}</Link>
          </Callout>
        )}
        {byPassword ? <PasswordForm onSignedIn={onSignedIn} /> : <Callout>{t('passwordOff')}</Callout>}
        {status && <OtherWays status={status} below={byPassword} purpose="login" onSignedIn={onSignedIn} />}
        <div className={formStyles.links}>
          {status?.register_enabled && (
            <span>
              {t('noAccount')} <Link to="/register">{t('toRegister')}</Link>
            </span>
          )}
          {byPassword && <Link to="/reset">{t('forgotten')}</Link>}
        </div>
        <LegalPages status={status} />
      </div>
    </AuthCard>
  )
}

export const screen = createLazyRoute('/login')({ component: Login })
