import { type ReactNode, useId } from 'react'
import styles from './panels.module.css'

export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <div className={styles.panel}>
      <h2 id={id}>{title}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section className={styles.body} aria-labelledby={id} tabIndex={0}>
        {children}
      </section>
    </div>
  )
}
