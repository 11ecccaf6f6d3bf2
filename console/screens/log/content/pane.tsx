import { Button } from '@mantine/core'
import { useState } from 'react'
import { formatCount } from '../../../format.ts'
import { useText } from '../../../text.ts'
import { CopyButton } from '../../../ui/content/copy-button.tsx'
import { logText } from '../catalogue.ts'
import logStyles from '../log.module.css'
import styles from './content.module.css'

interface PaneProps {
  title: string
  /** As it was sent, and how much of it is not there. */
  text: string
  leftOut: number
  /** What the events of a stream say. */
  words?: string
  wordsLeftOut?: number
}

/** One side of a call: for people first, and as it was sent if they want. */
export function Pane({ title, text, leftOut, words = '', wordsLeftOut = 0 }: PaneProps) {
  const t = useText(logText)
  const [asSent, setAsSent] = useState(false)
  const readable = words || laidOut(text)
  const shown = asSent ? text : (readable ?? text)
  const missing = words === '' || asSent ? leftOut : wordsLeftOut
  return (
    <div className={styles.pane}>
      <div className={styles.head}>
        <h3>{title}</h3>
        {readable !== undefined && (
          <Button
            variant={asSent ? 'light' : 'subtle'}
            size="compact-xs"
            aria-pressed={asSent}
            onClick={() => setAsSent(!asSent)}
          >
            {t('asSent')}
          </Button>
        )}
        <CopyButton text={shown} />
      </div>
      {missing > 0 && <p className={logStyles.note}>{t('wordsCut', { bytes: formatCount(missing) })}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={styles.text} tabIndex={0}>
        {shown || '–'}
      </pre>
    </div>
  )
}

/** JSON with a line for each field; undefined for what is none. */
function laidOut(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? JSON.stringify(value, null, 2) : undefined
  } catch {
    return undefined
  }
}
