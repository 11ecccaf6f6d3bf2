import { type ReactNode, useEffect } from 'react'
import { useStatus } from '../../status.ts'
import styles from './page.module.css'

/** The title of the window: the screen's name before the installation's. */
export function usePageTitle(title: string): void {
  const systemName = useStatus()?.system_name
  useEffect(() => {
    if (systemName) document.title = title ? `${title} · ${systemName}` : systemName
  }, [title, systemName])
}

interface PageProps {
  title: string
  /** Said under the title. */
  lead?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  /** Tables and charts use the whole width. */
  wide?: boolean
  children: ReactNode
}

/** The frame of an ordinary screen. */
export function Page({ title, lead, actions, wide, children }: PageProps) {
  usePageTitle(title)
  return (
    <div className={wide ? `${styles.page} ${styles.wide}` : styles.page}>
      <div className={styles.head}>
        <h1>{title}</h1>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {lead && <p className={styles.lead}>{lead}</p>}
      <div className={styles.content}>{children}</div>
    </div>
  )
}
