import type { ReactNode } from 'react'
import styles from './tag.module.css'

export type Tone = 'green' | 'lime' | 'yellow' | 'orange' | 'red' | 'blue' | 'grey'

/** A word with a meaning that its colour underlines. Plain markup, so that a thousand rows may have one. */
export function Tag({
  tone = 'grey',
  title,
  children,
}: {
  tone?: Tone
  title?: string
  children: ReactNode
}) {
  return (
    <span className={`${styles.tag} ${styles[tone]}`} title={title}>
      {children}
    </span>
  )
}
