import type { ReactNode } from 'react'
import styles from './open-name.module.css'

interface OpenNameProps {
  name: string
  open(): void
  /** What stands behind it. */
  children?: ReactNode
}

/** The name of a row, which opens what can be changed of it. Whichever way it is written, what follows stays behind. */
export function OpenName({ name, open, children }: OpenNameProps) {
  return (
    <button type="button" className={styles.open} title={name} onClick={open}>
      <bdi>{name || '–'}</bdi>
      {children}
    </button>
  )
}
