import { Input } from '@mantine/core'
import { type ReactNode, Suspense, useId } from 'react'
import { lazyPart } from '../page/lazy-part.ts'
import styles from './json-editor.module.css'

const JsonEditorView = lazyPart(() => import('./json-editor-view.tsx'))

export interface JsonEditorProps {
  /** Names the field in the page, as an input's `name` does. */
  name?: string
  label: ReactNode
  description?: ReactNode
  error?: ReactNode
  value: string
  disabled?: boolean
  onChange(text: string): void
}

/** A field for JSON that marks where it stops being JSON. The editor is loaded when one is shown. */
export function JsonEditor({ name, label, description, error, value, disabled, onChange }: JsonEditorProps) {
  const id = useId()
  const described = [description && `${id}-description`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <Input.Wrapper id={id} labelElement="div" label={label} description={description} error={error}>
      <div
        className={styles.frame}
        data-error={error ? true : undefined}
        data-disabled={disabled || undefined}
      >
        <Suspense fallback={<pre className={styles.waiting}>{value}</pre>}>
          <JsonEditorView
            name={name}
            labelledBy={`${id}-label`}
            describedBy={described}
            invalid={Boolean(error)}
            disabled={disabled === true}
            value={value}
            onChange={onChange}
          />
        </Suspense>
      </div>
    </Input.Wrapper>
  )
}
