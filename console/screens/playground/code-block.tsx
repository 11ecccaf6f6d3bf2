import { useQuery } from '@tanstack/react-query'
import { memo, useLayoutEffect, useRef } from 'react'
import { useText } from '../../text.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { playgroundText } from './catalogue.ts'
import styles from './markdown.module.css'

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
  const t = useText(playgroundText)
  const host = useRef<HTMLElement>(null)
  const { data: highlighter } = useQuery({
    queryKey: ['highlighter'],
    queryFn: () => import('./highlight.ts'),
    enabled: !open && language !== '',
    staleTime: Number.POSITIVE_INFINITY,
  })
  useLayoutEffect(() => {
    const coloured = open ? undefined : highlighter?.highlight(text, language.toLowerCase())
    host.current?.replaceChildren(coloured ?? text)
  }, [highlighter, text, language, open])
  return (
    <figure className={styles.code}>
      {copies && (
        <figcaption className={styles.caption}>
          <span>{language || t('code.plain')}</span>
          <CopyButton text={text} label={t('code.copyBlock')} />
        </figcaption>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code ref={host} />
      </pre>
    </figure>
  )
})
