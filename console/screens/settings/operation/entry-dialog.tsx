import { Button } from '@mantine/core'
import type { FormEvent, KeyboardEvent, ReactNode } from 'react'
import { useText } from '../../../text.ts'
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
  const apply = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    event.stopPropagation()
    onApply()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 's') apply(event)
  }
  return (
    <Dialog opened onClose={onClose} title={title} size={440}>
      <form className={styles.form} onSubmit={apply} onKeyDown={onKeyDown} noValidate>
        {children}
        <div className={dialogStyles.actions}>
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit">{t('dialog.apply')}</Button>
        </div>
      </form>
    </Dialog>
  )
}
