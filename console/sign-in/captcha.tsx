import { Button } from '@mantine/core'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useStatus } from '../status.ts'
import { currentLanguage, useText } from '../text.ts'
import { Callout } from '../ui/content/callout.tsx'
import { toast } from '../ui/layers/toast.ts'
import { signInText } from './catalogue.ts'
import { loadTurnstile } from './load-turnstile.ts'
import styles from './sign-in.module.css'

export interface Captcha {
  /** What goes into the query of the call. */
  readonly query: { turnstile?: string }
  /** The widget; nothing while the captcha is switched off. */
  readonly widget: ReactNode
  /** Whether the form can be sent; says why not. */
  isReady(): boolean
  /** A token that was refused is of no more use. */
  renew(): void
}

export function useCaptcha(): Captcha {
  const t = useText(signInText)
  const status = useStatus()
  const [token, setToken] = useState('')
  const [round, setRound] = useState(0)
  const renew = useCallback(() => {
    setToken('')
    setRound(current => current + 1)
  }, [])
  const siteKey = status?.turnstile_check ? status.turnstile_site_key : ''
  if (siteKey === '') return { query: {}, widget: null, isReady: () => true, renew }
  return {
    query: { turnstile: token },
    widget: <Widget key={round} siteKey={siteKey} onToken={setToken} />,
    isReady: () => {
      if (token === '') toast.warning(t('captcha.pending'))
      return token !== ''
    },
    renew,
  }
}

function Widget({ siteKey, onToken }: { siteKey: string; onToken(token: string): void }) {
  const t = useText(signInText)
  const host = useRef<HTMLDivElement>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let left = false
    let remove = () => {}
    loadTurnstile().then(
      turnstile => {
        if (left || !host.current) return
        const widget = turnstile.render(host.current, {
          sitekey: siteKey,
          language: currentLanguage() === 'zh' ? 'zh-cn' : 'en',
          size: 'flexible',
          theme: document.documentElement.dataset.mantineColorScheme === 'dark' ? 'dark' : 'light',
          callback: onToken,
          'expired-callback': () => onToken(''),
          'error-callback': () => {
            onToken('')
            return true
          },
        })
        if (widget) remove = () => turnstile.remove(widget)
      },
      () => setFailed(true),
    )
    return () => {
      left = true
      remove()
    }
  }, [siteKey, onToken])
  if (failed)
    return (
      <Callout tone="warning">
        {t('captcha.failed')}
        <Button className={styles.reload} variant="default" size="xs" onClick={() => location.reload()}>
          {t('failure.reload')}
        </Button>
      </Callout>
    )
  // biome-ignore lint/a11y/useSemanticElements: the widget brings its own fields, none of them ours to group
  return <div ref={host} className={styles.captcha} role="group" aria-label={t('captcha.title')} />
}
