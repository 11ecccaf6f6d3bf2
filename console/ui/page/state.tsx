import type { ReactNode } from 'react'
import styles from './state.module.css'

interface StateProps {
  /** A short sign, such as 404. */
  sign?: string
  title: string
  children?: ReactNode
  actions?: ReactNode
}

/** A whole page's state: not found, broken, not allowed. */
export function State({ sign, title, children, actions }: StateProps) {
  return (
    <div className={styles.page}>
      {sign && (
        <p className={styles.sign} data-sign={sign} aria-hidden>
          {sign}
        </p>
      )}
      <h1 className={styles.title}>{title}</h1>
      {children && <div className={styles.text}>{children}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
