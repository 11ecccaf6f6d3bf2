import { CornerDownLeft, Search, X } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import styles from './filter-bar.module.css'
import type { Filter } from './filter-bar.tsx'

interface SearchBoxProps {
  label: string
  value: string
  /** Only one box of a page answers to `/`. */
  main?: boolean
  onSearch(text: string): void
  /** For lists that are here already and follow every letter. */
  onType?(text: string): void
}

/** Searches on Enter and when left; trimmed; emptying it brings the plain list back. */
export function SearchBox({ label, value, main, onSearch, onType }: SearchBoxProps) {
  const t = useText(shellText)
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const search = (next: string) => {
    if (next.trim() !== value) onSearch(next.trim())
  }
  /** What was typed is not what the list is searched for yet. */
  const isWaiting = !onType && text.trim() !== value
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    search(text)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is unknown to browsers that are served
    <form className={styles.box} role="search" aria-label={label} onSubmit={onSubmit}>
      <Search size={16} aria-hidden className={styles.boxIcon} />
      <input
        type="text"
        className={styles.boxInput}
        value={text}
        placeholder={label}
        aria-label={label}
        enterKeyHint="search"
        data-search={main || undefined}
        data-set={value !== '' || undefined}
        data-waiting={isWaiting || undefined}
        onChange={event => {
          setText(event.currentTarget.value)
          onType?.(event.currentTarget.value)
        }}
        onBlur={() => search(text)}
      />
      {isWaiting && (
        <kbd className={styles.boxEnter}>
          <CornerDownLeft size={12} aria-hidden />
        </kbd>
      )}
      {text !== '' && (
        <button
          type="button"
          className={styles.boxClear}
          aria-label={t('filter.clearOne', { name: label })}
          onClick={() => {
            setText('')
            onType?.('')
            search('')
          }}
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </form>
  )
}

/** The same as a filter. */
export function textFilter(id: string, props: SearchBoxProps): Filter {
  return {
    id,
    label: props.label,
    value: props.value === '' ? undefined : props.value,
    control: <SearchBox {...props} />,
    remove: () => props.onSearch(''),
  }
}
