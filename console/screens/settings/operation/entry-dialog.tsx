import { Button } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { shellText } from '../../../locales/catalogue.ts'
import { useText } from '../../../text.ts'
import { Confirm } from '../../../ui/layers/confirm.tsx'
import dialogStyles from '../../../ui/layers/dialog.module.css'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { settingsText } from '../catalogue.ts'
import styles from './operation.module.css'

interface EntryDialogProps {
  title: string
  onApply(): void
  onClose(): void
  children: ReactNode
}

/** The form of one row of a section's table. The dialog is drawn elsewhere, yet to React it is inside the
 *  section, which would save: what happens here stays here. */
export function EntryDialog({ title, onApply, onClose, children }: EntryDialogProps) {
  const t = useText(settingsText)
  const shell = useText(shellText)
  const form = useRef<HTMLFormElement>(null)
  const [isTouched, setTouched] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const apply = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    event.stopPropagation()
    onApply()
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 's') apply(event)
  }
  return (
    // Esc, or a click beside it, may be a slip; "Cancel" is none.
    <Dialog opened onClose={isTouched ? () => setAsking(true) : onClose} title={title} size={440}>
      <form
        ref={form}
        className={styles.form}
        onSubmit={apply}
        onKeyDown={onKeyDown}
        onInput={() => setTouched(true)}
        noValidate
      >
        {children}
        <div className={dialogStyles.actions}>
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit">{t('dialog.apply')}</Button>
        </div>
      </form>
      <Confirm
        opened={isAsking}
        title={shell('drawer.leaveTitle')}
        action={shell('drawer.leave')}
        destructive
        onConfirm={onClose}
        onCancel={() => setAsking(false)}
      >
        {t('leaveText')}
      </Confirm>
    </Dialog>
  )
}
