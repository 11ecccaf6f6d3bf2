import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { TextInput } from '../../../ui/fields/fields.tsx'
import dialogStyles from '../../../ui/layers/dialog.module.css'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { toast } from '../../../ui/layers/toast.ts'
import styles from './personal.module.css'

interface FieldDialogProps {
  title: string
  /** Said above the field. */
  lead?: string
  label: string
  description?: string
  autoComplete: 'off' | 'one-time-code'
  maxLength: number
  /** What stands in the field at first. */
  initial?: string
  /** Said when nothing was entered. */
  missing: string
  /** What the button says. */
  action: string
  destructive?: boolean
  submit(text: string): Promise<unknown>
  close(): void
}

/** Asks for one thing, and does something with it. */
export function FieldDialog(props: FieldDialogProps) {
  const { title, lead, label, description, autoComplete, maxLength, initial = '' } = props
  const [text, setText] = useState(initial)
  const finish = useMutation({ mutationFn: props.submit })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return toast.error(props.missing)
    finish.mutate(text.trim())
  }
  return (
    <Dialog opened onClose={props.close} title={title} size={440}>
      <form className={styles.form} onSubmit={onSubmit} noValidate>
        {lead && <p>{lead}</p>}
        <TextInput
          label={label}
          description={description}
          autoComplete={autoComplete}
          maxLength={maxLength}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          data-autofocus
        />
        <div className={dialogStyles.actions}>
          <Button type="submit" color={props.destructive ? 'red' : undefined} loading={finish.isPending}>
            {props.action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
