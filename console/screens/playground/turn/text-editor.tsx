import { Button } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { shellText } from '../../../locales/catalogue.ts'
import { useText } from '../../../text.ts'
import styles from './turn.module.css'

interface TextEditorProps {
  label: string
  text: string
  /** What the saving button says. */
  action: string
  onSave(text: string): void
  onCancel(): void
}

/** Esc leaves, ⌘Enter saves: Enter alone is a line. */
export function TextEditor({ label, text, action, onSave, onCancel }: TextEditorProps) {
  const t = useText(shellText)
  const [value, setValue] = useState(text)
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    area.current?.focus()
    area.current?.setSelectionRange(-1, -1)
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault()
      onCancel()
    }
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) onSave(value)
  }
  return (
    <div className={styles.editor}>
      <textarea
        ref={area}
        aria-label={label}
        rows={Math.min(16, Math.max(3, value.split('\n').length + 1))}
        value={value}
        onChange={event => setValue(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.editorActions}>
        <Button size="xs" variant="default" onClick={onCancel}>
          {t('action.cancel')}
        </Button>
        <Button size="xs" disabled={value.trim() === ''} onClick={() => onSave(value)}>
          {action}
        </Button>
      </div>
    </div>
  )
}
