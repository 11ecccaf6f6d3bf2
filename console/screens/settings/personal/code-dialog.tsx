import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useText } from '../../../text.ts'
import dialogStyles from '../../../ui/dialog.module.css'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextInput } from '../../../ui/fields.tsx'
import { toast } from '../../../ui/toast.ts'
import { personalText } from './catalogue.ts'
import styles from './personal.module.css'

interface CodeDialogProps {
  title: string
  lead: string
  destructive: boolean
  submit(code: string): Promise<unknown>
  close(): void
}

/** Asks for an authenticator or backup code before something is done. */
export default function CodeDialog({ title, lead, destructive, submit, close }: CodeDialogProps) {
  const t = useText(personalText)
  const [code, setCode] = useState('')
  const finish = useMutation({ mutationFn: submit })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() === '') return toast.error(t('two.codeMissing'))
    finish.mutate(code.trim())
  }
  return (
    <Dialog opened onClose={close} title={title} size={440}>
      <form className={styles.form} onSubmit={onSubmit} noValidate>
        <p>{lead}</p>
        <TextInput
          label={t('two.code')}
          description={t('two.codeHelp')}
          autoComplete="one-time-code"
          maxLength={20}
          value={code}
          onChange={event => setCode(event.currentTarget.value)}
          data-autofocus
        />
        <div className={dialogStyles.actions}>
          <Button type="submit" color={destructive ? 'red' : undefined} loading={finish.isPending}>
            {title}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
