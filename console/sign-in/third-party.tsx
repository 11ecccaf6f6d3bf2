import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import type { StatusDocument } from '../../contract/system.ts'
import type { SignedIn, UserView } from '../../contract/users.ts'
import { readUser } from '../session.ts'
import { useText } from '../text.ts'
import { toast } from '../ui/layers/toast.ts'
import { lazyPart } from '../ui/page/lazy-part.ts'
import { signInText } from './catalogue.ts'
import { openConsent } from './open-consent.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { canUsePasskeys } from './passkeys.ts'
import { providerIcons } from './provider-icons.tsx'
import styles from './sign-in.module.css'
import { leaveForTelegram } from './telegram.ts'
import { waysIn } from './ways-in.ts'

const WechatSignIn = lazyPart(() => import('./wechat-sign-in.tsx'))

/** Letters that have room in half a line; only a single sign-on is called what its operator likes. */
const SHORT_NAME = 8

export interface ThirdPartyProps {
  status: StatusDocument
  /** Whether there is a form above that these are the alternative to. */
  below: boolean
  /** Passkeys and Telegram lead into accounts that exist; who registers has none yet. */
  purpose: 'login' | 'register'
  onSignedIn(answer: SignedIn, home?: 'home'): unknown
}

/** The other ways in, as far as they are switched on. */
export default function ThirdParty({ status, below, purpose, onSignedIn }: ThirdPartyProps) {
  const t = useText(signInText)
  const ways = waysIn(status, purpose)
  const [scanning, setScanning] = useState(false)
  const consent = useMutation({
    mutationFn: openConsent,
    onSuccess: () => toast.success(t('third.waiting')),
  })
  useLoginElsewhere(consent.isSuccess, onSignedIn)
  const passkey = purpose === 'login' && canUsePasskeys(status.server_address)
  if (!passkey && ways.length === 0) return null
  const act = {
    oidc: () => consent.mutate('oidc'),
    github: () => consent.mutate('github'),
    discord: () => consent.mutate('discord'),
    linuxdo: () => consent.mutate('linuxdo'),
    wechat: () => setScanning(true),
    telegram: () => leaveForTelegram(status.telegram_bot_id, 'login'),
  }
  const names = {
    oidc: status.oidc_name,
    github: 'GitHub',
    discord: 'Discord',
    linuxdo: 'LinuxDO',
    wechat: t('wechat'),
    telegram: 'Telegram',
  }
  return (
    <>
      {below && <p className={styles.or}>{t('third.or')}</p>}
      <div className={styles.ways}>
        {passkey && <PasskeyButton onDone={onSignedIn} />}
        {ways.map(way => (
          <Button
            key={way}
            variant="default"
            leftSection={providerIcons[way]}
            title={names[way]}
            data-wide={names[way].length > SHORT_NAME || undefined}
            classNames={{ label: styles.way }}
            aria-label={t('third.with', { name: names[way] })}
            disabled={consent.isPending}
            onClick={act[way]}
          >
            {ways.length === 1 ? t('third.with', { name: names[way] }) : names[way]}
          </Button>
        ))}
      </div>
      {scanning && (
        <Suspense>
          <WechatSignIn
            title={t('third.with', { name: names.wechat })}
            onDone={answer => {
              setScanning(false)
              return onSignedIn(answer, 'home')
            }}
            close={() => setScanning(false)}
          />
        </Suspense>
      )}
    </>
  )
}

/** The login ends in the window that was opened; this one follows. */
function useLoginElsewhere(waiting: boolean, onSignedIn: (user: UserView) => unknown): void {
  useEffect(() => {
    if (!waiting) return
    const follow = (event: StorageEvent) => {
      const user = event.key === 'user' ? readUser() : null
      if (user) onSignedIn(user)
    }
    addEventListener('storage', follow)
    return () => removeEventListener('storage', follow)
  }, [waiting, onSignedIn])
}
