import { type KeyboardEvent, useRef, useState } from 'react'
import { shellText } from '../../locales/catalogue.ts'
import { plainNumber } from '../../plain-number.ts'
import { useText } from '../../text.ts'
import { toast } from '../layers/toast.ts'
import styles from './inline-number.module.css'

interface InlineNumberProps {
  /** Names the field, with the row it belongs to. */
  label: string
  value: number
  min?: number
  /** Rejects when it could not be saved; the old number then comes back. */
  onSave(value: number): Promise<unknown>
}

/** Once, when it comes: a function of every drawing would select again what has been typed since. */
function selectAll(input: HTMLInputElement | null): void {
  // Not every browser goes where something is selected.
  input?.focus()
  input?.select()
}

/** A whole number in a table: click or Enter edits it, Enter or leaving saves, Esc takes the edit back. */
export function InlineNumber({ label, value, min = Number.MIN_SAFE_INTEGER, onSave }: InlineNumberProps) {
  const t = useText(shellText)
  const button = useRef<HTMLButtonElement>(null)
  const [editing, setEditing] = useState(false)
  const [state, setState] = useState<'rest' | 'saving' | 'saved' | 'failed'>('rest')
  // What was typed is shown until the list has it too.
  const [typed, setTyped] = useState<number>()

  const leave = (typedText: string | undefined) => {
    setEditing(false)
    requestAnimationFrame(() => {
      // Who pressed something else is there by now.
      if (document.activeElement === document.body) button.current?.focus({ preventScroll: true })
    })
    const text = plainNumber(typedText ?? '')
    if (text === '') return
    const next = Math.max(min, Number(text))
    if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(next)) return toast.error(t('inline.whole'))
    if (next === value) return
    setTyped(next)
    setState('saving')
    onSave(next)
      .then(
        () => setState('saved'),
        () => setState('failed'),
      )
      .finally(() => setTyped(undefined))
  }

  if (editing)
    return (
      <input
        className={styles.input}
        inputMode="numeric"
        aria-label={label}
        defaultValue={value}
        style={{ width: `calc(${String(value).length}ch + 18px)` }}
        ref={selectAll}
        onBlur={event => leave(event.currentTarget.value)}
        onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
          event.stopPropagation()
          if (event.key === 'Enter') event.currentTarget.blur()
          if (event.key === 'Escape') leave(undefined)
        }}
      />
    )
  return (
    <button
      ref={button}
      type="button"
      className={styles.value}
      data-state={state}
      title={String(value)}
      aria-label={t('inline.edit', { name: label, value })}
      onClick={() => setEditing(true)}
    >
      {typed ?? value}
    </button>
  )
}
