import { useEffect, useLayoutEffect, useRef } from 'react'
import { colourCode } from './colour-code.ts'
import styles from './markdown.module.css'

export function CodeBlock({ language, text }: { language: string; text: string }) {
  const host = useRef<HTMLElement>(null)
  useLayoutEffect(() => host.current?.replaceChildren(text), [text])
  useEffect(() => (host.current ? colourCode(host.current, text, language) : undefined), [text, language])
  return (
    <figure className={styles.code}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code ref={host} />
      </pre>
    </figure>
  )
}
