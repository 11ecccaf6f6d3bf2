import { useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import type { FirstStep } from '../../../contract/users.ts'
import { ApiError, messageOf } from '../../api.ts'
import { readUser } from '../../session.ts'
import { signInText } from '../../sign-in/catalogue.ts'
import { useEnter } from '../../sign-in/enter.ts'
import { useText } from '../../text.ts'
import { Callout } from '../../ui/content/callout.tsx'
import { toast } from '../../ui/layers/toast.ts'
import { AuthCard } from '../../ui/page/auth-card.tsx'
import { lazyPart } from '../../ui/page/lazy-part.ts'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { finishSignIn, isCallbackProvider } from './finish-sign-in.ts'
import { callbackQuery } from './route.ts'

const SecondStep = lazyPart(() => import('../../sign-in/second-step.tsx'))
const names = {
  github: 'GitHub',
  discord: 'Discord',
  linuxdo: 'LinuxDO',
  oidc: 'SSO',
  telegram: 'Telegram',
}
/** Long enough to read why. */
const failureShown = 2500

/** Coming back from a third party: logs in, binds, asks for the second step, or says why not. */
function OauthCallback() {
  const t = useText(signInText)
  const { provider } = screen.useParams()
  const name = isCallbackProvider(provider) ? names[provider] : provider
  const { ticket, failed, finish, giveUp } = useCallbackState(provider)
  return (
    <AuthCard title={t('oauth.title', { name })} {...(ticket ? { lead: t('oauth.second') } : {})}>
      {ticket && (
        <Suspense>
          <SecondStep first={ticket} onDone={finish} onBack={giveUp} />
        </Suspense>
      )}
      {failed && <Callout tone="error">{t('oauth.failed')}</Callout>}
      {!ticket && !failed && <Skeleton rows={2} />}
    </AuthCard>
  )
}

function useCallbackState(provider: string) {
  const t = useText(signInText)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const enter = useEnter()
  const [ticket, setTicket] = useState<FirstStep>()
  const [failed, setFailed] = useState(false)
  const home = provider === 'telegram' ? 'home' : undefined

  const arrive = async (): Promise<void> => {
    if (!isCallbackProvider(provider)) throw new Error('unknown provider')
    const answer = await finishSignIn(provider, callbackQuery(provider), location.hash)
    if (answer.message === 'bind') {
      toast.success(t('oauth.bound'))
      await queryClient.invalidateQueries({ queryKey: ['self'] })
      await navigate({ to: '/setting', search: { tab: 'personal' }, replace: true })
    } else if ('require_2fa' in answer.data) setTicket(answer.data)
    else await enter(answer.data, home)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per arrival; the answer is kept by its key
  useEffect(() => {
    let left = false
    arrive().catch(error => {
      if (left) return
      if (error instanceof ApiError) toast.error(messageOf(error))
      setFailed(true)
    })
    return () => {
      left = true
    }
  }, [provider])
  useEffect(() => {
    if (!failed) return
    const timer = setTimeout(() => {
      // The settings would ask for a login too, and be what it leads to instead of what somebody was on their way to.
      navigate({ to: readUser() ? '/setting' : '/login', replace: true }).catch(() => {})
    }, failureShown)
    return () => clearTimeout(timer)
  }, [failed, navigate])
  return {
    ticket,
    failed,
    finish: (user: Parameters<typeof enter>[0]) => enter(user, home),
    giveUp: () => {
      navigate({ to: '/login', replace: true }).catch(() => {})
    },
  }
}

export const screen = createLazyRoute('/oauth/$provider')({ component: OauthCallback })
