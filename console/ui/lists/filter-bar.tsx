import { SlidersHorizontal, X } from 'lucide-react'
import { Fragment, type ReactNode, useRef, useState } from 'react'
import { listText } from '../../lists/catalogue.ts'
import { shellText } from '../../locales/catalogue.ts'
import { readStored, store } from '../../storage.ts'
import { useText } from '../../text.ts'
import '../looks/chevron.css'
import { useNarrow } from '../use-narrow.ts'
import styles from './filter-bar.module.css'

/** One of the things that a list can be narrowed down by. */
export interface Filter {
  readonly id: string
  readonly label: string
  /** What it is set to, in the reader's words; undefined while it is not in force. */
  readonly value: string | undefined
  readonly control: ReactNode
  remove(): void
}

interface FilterBarProps {
  filters: readonly Filter[]
  /** How many of them stand open where there is room. */
  open?: number
  /** Given when anything is filtered: takes all of it away. */
  clear?: (() => void) | undefined
  /** What else stands in the bar. */
  children?: ReactNode
}

const key = 'filters-open'

/**
 * What a list is narrowed down by. It mirrors the address, so that a filtered list can be sent to someone. A filter
 * in force is seen once: in its control where that stands open, and as a chip where it does not.
 */
export function FilterBar({ filters, open = filters.length, clear, children }: FilterBarProps) {
  const t = useText(shellText)
  const list = useText(listText)
  const isNarrow = useNarrow()
  const bar = useRef<HTMLDivElement>(null)
  // A phone begins with its rows, whatever was looked at last.
  const [isOpened, setOpened] = useState(() => !isNarrow && readStored(key) === 'true')
  const most = isNarrow ? (filters.length > 2 ? 1 : 2) : open
  const others = filters.slice(most)
  const inForce = filters.filter(({ value }) => value !== undefined)
  const chips = isOpened ? [] : others.filter(({ value }) => value !== undefined)
  // Where there is but one chip, that takes it away.
  const canClear = clear !== undefined && (inForce.length !== 1 || chips.length === 0)
  const toggle = () => {
    if (!isNarrow) store(key, String(!isOpened))
    setOpened(!isOpened)
  }
  /** What is pressed goes away; whoever uses keys stands on what comes next. */
  const leave = (pressed: HTMLElement) => {
    const buttons = [...(bar.current?.querySelectorAll<HTMLElement>('[data-chip]') ?? [])]
    const at = buttons.indexOf(pressed)
    const next = buttons[at + 1] ?? buttons[at - 1] ?? bar.current
    next?.focus({ preventScroll: true })
  }
  return (
    <div ref={bar} className={styles.bar} data-folds={others.length > 0 || undefined} tabIndex={-1}>
      {filters.slice(0, most).map(({ id, control }) => (
        <Fragment key={id}>{control}</Fragment>
      ))}
      {others.length > 0 && (
        <button type="button" className={styles.more} aria-expanded={isOpened} onClick={toggle}>
          <SlidersHorizontal size={16} aria-hidden />
          {list('filters')}
        </button>
      )}
      {isOpened && others.map(({ id, control }) => <Fragment key={id}>{control}</Fragment>)}
      {(chips.length > 0 || canClear) && (
        <div className={styles.chips}>
          {chips.map(({ id, label, value = '', remove }) => {
            const text = t('table.actionOn', { action: label, name: value })
            return (
              <span key={id} className={styles.chip}>
                <span className={styles.chipText} title={text}>
                  {text}
                </span>
                <button
                  type="button"
                  className={styles.chipRemove}
                  data-chip
                  aria-label={t('filter.clearOne', { name: text })}
                  onClick={event => {
                    leave(event.currentTarget)
                    remove()
                  }}
                >
                  <X size={14} aria-hidden />
                </button>
              </span>
            )
          })}
          {canClear && (
            <button
              type="button"
              className={styles.clear}
              onClick={event => {
                leave(event.currentTarget)
                clear?.()
              }}
            >
              {t('filter.clear')}
            </button>
          )}
        </div>
      )}
      {children}
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
  const canBeUnset = options.some(option => option.value === '')
  return (
    <select
      className={styles.select}
      aria-label={label}
      value={value}
      data-set={(value !== '' && canBeUnset) || undefined}
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

/** The same as a filter; '' stands for not filtered. */
export function choiceFilter(id: string, { label, value, options, onChange }: FilterSelectProps): Filter {
  const chosen = options.find(option => option.value === value)
  // The address may ask for what is not on offer, or not yet.
  const all = chosen ? options : [...options, { value, label: value }]
  return {
    id,
    label,
    value: value === '' ? undefined : (chosen?.label ?? value),
    control: <FilterSelect label={label} value={value} options={all} onChange={onChange} />,
    remove: () => onChange(''),
  }
}
