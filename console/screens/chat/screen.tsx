import { Button } from '@mantine/core'
import { createLazyRoute, useParams, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import type { ChatLink, ChatProblem } from '../../clients/chat-links.ts'
import { shellText } from '../../locales/catalogue.ts'
import { reloadForPolicy } from '../../reload-for-policy.ts'
import { useScreenPaths } from '../../screen-paths.ts'
import { useText } from '../../text.ts'
import { toast } from '../../ui/layers/toast.ts'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { usePageTitle } from '../../ui/page/page.tsx'
import { usePageMark } from '../../ui/page/page-mark.ts'
import { SettingsLink } from '../../ui/page/settings-link.tsx'
import { ScreenSkeleton } from '../../ui/page/skeleton.tsx'
import { State } from '../../ui/page/state.tsx'
import { chatText } from './catalogue.ts'
import styles from './chat.module.css'
import { useChatLink } from './use-chat-link.ts'

/** Milliseconds before whoever has no token is taken to where tokens are made. */
const LEAVE_AFTER = 1500

const problemTexts = {
  none: 'chat.none',
  unreadable: 'link.unreadable',
  wrong: 'chat.wrong',
} as const satisfies Record<ChatProblem, string>

interface OpenProps {
  index: number
  children(link: ChatLink): ReactNode
}

/** Everything that can stand between a reader and a chat application, and then the application. */
function Open({ index, children }: OpenProps) {
  const t = useText(chatText)
  const shell = useText(shellText)
  const found = useChatLink(index)
  usePageTitle(found.kind === 'link' ? found.link.name : shell('nav.chat'))
  if (found.kind === 'loading') return <ScreenSkeleton />
  if (found.kind === 'failed')
    return (
      <div className={styles.failure}>
        <LoadFailure error={found.error} retry={found.retry} />
      </div>
    )
  if (found.kind === 'no-token') return <NoToken />
  if (found.kind === 'problem')
    return (
      <State title={shell('nav.chat')} actions={<SettingsLink section="operation.chat" />}>
        {t(problemTexts[found.problem])}
      </State>
    )
  return found.link.opens === 'link' ? <AppLink link={found.link} /> : children(found.link)
}

function NoToken() {
  const t = useText(chatText)
  const shell = useText(shellText)
  const router = useRouter()
  const screens: ReadonlySet<string> = useScreenPaths()
  const target = screens.has('/token') ? '/token' : '/'
  const message = t('token.none')
  useEffect(() => {
    toast.error(message)
    const timer = setTimeout(() => router.history.push(target), LEAVE_AFTER)
    return () => clearTimeout(timer)
  }, [router, target, message])
  return (
    <State
      title={shell('nav.chat')}
      actions={
        <Button size="xs" onClick={() => router.history.push(target)}>
          {t('token.goNow')}
        </Button>
      }
    >
      {message}
    </State>
  )
}

/** An application of the device cannot stand in a frame; its reader opens it. */
function AppLink({ link: { name, url } }: { link: ChatLink }) {
  const t = useText(chatText)
  return (
    <State
      title={name}
      actions={
        <Button component="a" size="xs" href={url}>
          {t('open.app', { name })}
        </Button>
      }
    >
      {t('open.appText', { name })}
    </State>
  )
}

/** Its own origin a frame keeps only where that is not ours: with ours and script it could free itself. */
function sandboxOf(url: string): string {
  const foreign = new URL(url).origin !== location.origin
  return `allow-scripts allow-forms allow-popups allow-modals allow-downloads${foreign ? ' allow-same-origin' : ''}`
}

function ChatFrame({ index }: { index: number }) {
  useEffect(() => reloadForPolicy('frame-src'), [])
  return <Open index={index}>{link => <FramedApp link={link} />}</Open>
}

function FramedApp({ link: { name, url } }: { link: ChatLink }) {
  usePageMark('whole')
  return (
    <div>
      <h1 className={styles.name}>{name}</h1>
      <iframe
        key={url}
        className={styles.frame}
        src={url}
        title={name}
        sandbox={sandboxOf(url)}
        allow="clipboard-write; microphone"
        referrerPolicy="no-referrer"
      />
    </div>
  )
}

function ChatApp() {
  const { id } = useParams({ from: '/chat/$id' })
  return <ChatFrame index={/^\d{1,3}$/.test(id) ? Number(id) : -1} />
}

function Leaving({ link: { name, url } }: { link: ChatLink }) {
  const t = useText(chatText)
  useEffect(() => location.replace(url), [url])
  return <State title={t('open.redirecting', { name })} />
}

function ChatToLink() {
  return <Open index={0}>{link => <Leaving link={link} />}</Open>
}

export const screen = createLazyRoute('/chat/$id')({ component: ChatApp })
export const firstScreen = createLazyRoute('/chat')({ component: () => <ChatFrame index={0} /> })
export const linkScreen = createLazyRoute('/chat2link')({ component: ChatToLink })
