import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '../../text.ts'
import { startText } from './catalogue.ts'
import styles from './start.module.css'

interface StepProps {
  number: number
  title: string
  done: boolean
  /** The one to do now. */
  current: boolean
  children: ReactNode
}

export function Step({ number, title, done, current, children }: StepProps) {
  const t = useText(startText)
  return (
    <li
      className={styles.step}
      data-done={done || undefined}
      data-current={current || undefined}
      aria-current={current ? 'step' : undefined}
    >
      <span className={styles.sign}>
        {done ? <Check size={16} role="img" aria-label={t('stepDone')} /> : number}
      </span>
      <div className={styles.content}>
        <h2>{title}</h2>
        {children}
      </div>
    </li>
  )
}
