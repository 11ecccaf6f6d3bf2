import type { ReactNode } from 'react'
import styles from './tag.module.css'

export type Tone = 'green' | 'lime' | 'yellow' | 'orange' | 'red' | 'blue' | 'grey'

/** A word with a meaning that its colour underlines. Plain markup, so that a thousand rows may have one. */
export function Tag({
  tone = 'grey',
  title,
  short,
  children,
}: {
  tone?: Tone
  title?: string
  /** Known to fit: what may be cut off costs more to draw. */
  short?: boolean
  children: ReactNode
}) {
  return (
    <span className={`${short ? styles.tag : styles.cut} ${styles[tone]}`} title={title}>
      {children}
    </span>
  )
}
