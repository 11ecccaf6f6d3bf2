import { type ReactNode, useId } from 'react'
import styles from './personal.module.css'

interface PanelProps {
  title: string
  lead?: ReactNode
  action?: ReactNode
  children?: ReactNode
}

export function Panel({ title, lead, action, children }: PanelProps) {
  const id = useId()
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <div className={styles.head}>
        <div>
          <h2 id={id}>{title}</h2>
          {lead && <p className={styles.headLead}>{lead}</p>}
        </div>
        {action && <div className={styles.headAction}>{action}</div>}
      </div>
      {children}
    </section>
  )
}

interface RowProps {
  title: ReactNode
  lead?: ReactNode
  actions?: ReactNode
}

/** One thing of a panel: what it is, how it stands, what can be done. */
export function Row({ title, lead, actions }: RowProps) {
  return (
    <li className={styles.row}>
      <div className={styles.rowText}>
        <div className={styles.rowTitle}>{title}</div>
        {lead && <div className={styles.rowLead}>{lead}</div>}
      </div>
      {actions && <div className={styles.rowActions}>{actions}</div>}
    </li>
  )
}

export function Figure({ label, large, children }: { label: string; large?: boolean; children: ReactNode }) {
  return (
    <div className={styles.figure} data-large={large || undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
