import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './callout.module.css'

const icons = { info: Info, warning: TriangleAlert, error: CircleAlert }

/** A sentence that has to be seen, in its place on the page. */
export function Callout({ tone = 'info', children }: { tone?: keyof typeof icons; children: ReactNode }) {
  const Icon = icons[tone]
  return (
    <div className={`${styles.callout} ${styles[tone]}`} role={tone === 'info' ? 'note' : 'alert'}>
      <Icon size={16} aria-hidden className={styles.icon} />
      <div>{children}</div>
    </div>
  )
}
