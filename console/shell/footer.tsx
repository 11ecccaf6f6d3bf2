import { Suspense, useEffect, useReducer } from 'react'
import { shellText } from '../locales/catalogue.ts'
import { useStatus } from '../status.ts'
import { readStored } from '../storage.ts'
import { useText } from '../text.ts'
import { lazyPart } from '../ui/page/lazy-part.ts'
import styles from './shell.module.css'

const RichContent = lazyPart(async () => ({
  default: (await import('../ui/content/rich-content.tsx')).RichContent,
}))

const rereads = 5
const rereadEvery = 200

/** The footer kept locally. Read again a few times after the start, as whoever stored it may be late. */
function useStoredFooter(): string {
  const status = useStatus()
  const [, readAgain] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    let left = rereads
    const timer = setInterval(() => {
      readAgain()
      left -= 1
      if (left === 0) clearInterval(timer)
    }, rereadEvery)
    return () => clearInterval(timer)
  }, [])
  return readStored('footer_html') ?? status?.footer_html ?? ''
}

export function Footer() {
  const t = useText(shellText)
  const status = useStatus()
  const footer = useStoredFooter()
  return (
    <footer className={styles.footer}>
      {footer === '' ? (
        <p>{t('footer.credit', { version: `v${status?.version ?? ''}` })}</p>
      ) : (
        <Suspense>
          <RichContent source={footer} format="html" title={t('footer.title')} />
        </Suspense>
      )}
    </footer>
  )
}
