import type { ReactNode } from 'react'
import styles from './empty.module.css'

interface EmptyProps {
  title: string
  children?: ReactNode
  actions?: ReactNode
}

/** Stands where rows would be: says why there are none and what to do about it. */
export function Empty({ title, children, actions }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.text}>{children}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
