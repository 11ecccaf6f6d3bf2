import type { ReactNode } from 'react'
import { useStatus } from '../../status.ts'
import styles from './auth-card.module.css'
import { Logo } from './brand.tsx'
import { usePageTitle } from './page.tsx'

interface AuthCardProps {
  title: string
  lead?: ReactNode
  children: ReactNode
}

/** The frame of the account screens: one column, one task. */
export function AuthCard({ title, lead, children }: AuthCardProps) {
  const status = useStatus()
  usePageTitle(title)
  return (
    <div className={styles.screen}>
      <section className={styles.card}>
        <Logo src={status?.logo} size={32} />
        <h1 className={styles.title}>{title}</h1>
        {lead && <p className={styles.lead}>{lead}</p>}
        <div className={styles.content}>{children}</div>
      </section>
    </div>
  )
}
