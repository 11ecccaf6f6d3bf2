import { Textarea, type TextareaProps } from '@mantine/core'
import styles from './lines-field.module.css'

interface LinesFieldProps extends Omit<TextareaProps, 'value' | 'onChange'> {
  value: string
  onChange(lines: string): void
}

/** A list that is typed, an entry to a line. Its words are names, which no dictionary has. */
export function LinesField({ onChange, ...props }: LinesFieldProps) {
  return (
    <Textarea
      autosize
      minRows={2}
      maxRows={10}
      spellCheck={false}
      classNames={{ input: styles.lines }}
      {...props}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}
