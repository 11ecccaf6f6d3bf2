import { Button } from '@mantine/core'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import type { ConfirmProps } from './confirm.tsx'
import styles from './dialog.module.css'
import { Dialog } from './dialog.tsx'

export default function ConfirmDialog(props: ConfirmProps) {
  const { opened, title, children, action, destructive, onConfirm, onCancel } = props
  const t = useText(shellText)
  return (
    <Dialog opened={opened} onClose={onCancel} title={title} size={440}>
      <p>{children}</p>
      <div className={styles.actions}>
        <Button variant="default" onClick={onCancel} data-autofocus>
          {t('action.cancel')}
        </Button>
        <Button color={destructive ? 'red' : undefined} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
