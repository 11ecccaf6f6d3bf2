import { Check, Copy } from 'lucide-react'
import { memo, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useText } from '../../text.ts'
import { copyText } from '../../ui/copy.ts'
import { playgroundText } from './catalogue.ts'
import styles from './markdown.module.css'
import { showText } from './replace-changed.ts'
import { whenIdle } from './when-idle.ts'

interface CodeBlockProps {
  language: string
  text: string
  /** Its end has not come yet: colours wait until it has. */
  open?: boolean
  copies?: boolean
}

export const CodeBlock = memo(function CodeBlock({
  language,
  text,
  open = false,
  copies = true,
}: CodeBlockProps) {
  const host = useRef<HTMLElement>(null)
  const latest = useRef(text)
  latest.current = text
  useLayoutEffect(() => {
    if (host.current) showText(host.current, text)
  }, [text])
  useEffect(() => {
    if (open || language === '') return
    let isStale = false
    // Colours change no line's place: they may come a moment later, between two pieces of the answer.
    const cancel = whenIdle(async () => {
      const { highlight } = await import('./highlight.ts')
      const coloured = isStale ? undefined : highlight(text, language.toLowerCase())
      if (coloured) host.current?.replaceChildren(coloured)
    })
    return () => {
      isStale = true
      cancel()
    }
  }, [text, language, open])
  return (
    <figure className={styles.code}>
      {copies && <Caption language={language} source={latest} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code ref={host} />
      </pre>
    </figure>
  )
})

/** The same however the code grows, and without Mantine: an answer may have many. */
const Caption = memo(function Caption({ language, source }: { language: string; source: RefObject<string> }) {
  const t = useText(playgroundText)
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => {
    copyText(source.current).then(
      () => setCopied(true),
      () => {},
    )
  }
  return (
    <figcaption className={styles.caption}>
      <span>{language || t('code.plain')}</span>
      <button type="button" className={styles.copy} aria-label={t('code.copyBlock')} onClick={copy}>
        {copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      </button>
    </figcaption>
  )
})
