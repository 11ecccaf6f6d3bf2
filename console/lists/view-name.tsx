import { type FormEvent, useEffect, useRef, useState } from 'react'
import { shellText } from '../locales/catalogue.ts'
import { useText } from '../text.ts'
import { listText } from './catalogue.ts'
import styles from './options-panel.module.css'

interface ViewNameProps {
  name: string
  isTaken(name: string): boolean
  /** What has the name already gives way; otherwise the name has to be another. */
  canReplace?: boolean
  save(name: string): void
  cancel(): void
}

const LONGEST = 40

/** What a view is called: Enter saves it, Esc leaves it as it was. */
export function ViewName({ name, isTaken, canReplace, save, cancel }: ViewNameProps) {
  const t = useText(listText)
  const shell = useText(shellText)
  const [text, setText] = useState(name)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus({ preventScroll: true })
    field.current?.select()
  }, [])
  const wanted = text.trim()
  const isDouble = isTaken(wanted)
  const isWrong = wanted === '' || (isDouble && !canReplace)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isWrong) save(wanted)
  }
  return (
    <form className={styles.naming} onSubmit={onSubmit}>
      <input
        ref={field}
        type="text"
        className={styles.name}
        maxLength={LONGEST}
        value={text}
        placeholder={t('view.name')}
        aria-label={t('view.name')}
        aria-invalid={isDouble && isWrong}
        onChange={event => setText(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          cancel()
        }}
      />
      <button type="submit" className={styles.save} disabled={isWrong}>
        {isDouble && canReplace ? t('replace') : shell('action.save')}
      </button>
    </form>
  )
}
