import { X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import { focusPage } from '../page/focus-page.ts'
import controls from './row-controls.module.css'
import styles from './selection-bar.module.css'
import type { Selection } from './use-selection.ts'

interface SelectionBarProps {
  selection: Selection
  children: ReactNode
}

/** Comes up when rows are ticked: how many, and what can be done with them. */
export function SelectionBar(props: SelectionBarProps) {
  return props.selection.ids.size === 0 ? null : <Bar {...props} />
}

function Bar({ selection, children }: SelectionBarProps) {
  const t = useText(shellText)
  useEffect(() => focusPage, [])
  return (
    <section className={styles.bar} aria-label={t('table.selection')}>
      <span className={styles.count}>{t('table.selected', { count: selection.ids.size })}</span>
      {children}
      <button
        type="button"
        className={controls.more}
        aria-label={t('table.clearSelection')}
        onClick={selection.clear}
      >
        <X size={16} aria-hidden />
      </button>
    </section>
  )
}

interface BeforeSelectionProps {
  selection: Selection
  className?: string | undefined
  children: ReactNode
}

/** What the bar offers, in the page's own place until the bar is there. Its room is kept: rows do not move. */
export function BeforeSelection({ selection, className = '', children }: BeforeSelectionProps) {
  return (
    <span className={`${styles.before} ${className}`} data-over={selection.ids.size > 0 || undefined}>
      {children}
    </span>
  )
}
