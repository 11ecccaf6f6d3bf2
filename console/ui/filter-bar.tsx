import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { shellText } from '../locales/catalogue.ts'
import { useText } from '../text.ts'
import './chevron.css'
import styles from './filter-bar.module.css'

export interface Chip {
  readonly id: string
  /** Such as "Model: gpt-4o". */
  readonly label: string
  remove(): void
}

interface FilterBarProps {
  /** Search boxes, selects, time ranges. */
  children: ReactNode
  /** What is filtered by now, where the controls do not show it themselves. */
  chips?: readonly Chip[]
  /** Given when anything is filtered: takes all of it away. */
  clear?: (() => void) | undefined
}

/** What a list is narrowed down by. It mirrors the address, so that a filtered list can be sent to someone. */
export function FilterBar({ children, chips = [], clear }: FilterBarProps) {
  const t = useText(shellText)
  return (
    <div className={styles.bar}>
      {children}
      {chips.map(({ id, label, remove }) => (
        <span key={id} className={styles.chip}>
          {label}
          <button
            type="button"
            className={styles.chipRemove}
            aria-label={t('filter.clearOne', { name: label })}
            onClick={remove}
          >
            <X size={12} aria-hidden />
          </button>
        </span>
      ))}
      {clear && (
        <button type="button" className={styles.clear} onClick={clear}>
          {t('filter.clear')}
        </button>
      )}
    </div>
  )
}

interface FilterSelectProps {
  label: string
  value: string
  options: readonly { readonly value: string; readonly label: string }[]
  onChange(value: string): void
}

/** A choice among few: the browser's own, which is quick everywhere. */
export function FilterSelect({ label, value, options, onChange }: FilterSelectProps) {
  return (
    <select
      className={styles.select}
      aria-label={label}
      value={value}
      data-set={value !== '' || undefined}
      onChange={event => onChange(event.currentTarget.value)}
    >
      {options.map(option => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
