import { Button } from '@mantine/core'
import { RotateCw } from 'lucide-react'
import { messageOf } from '../../api.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import styles from './state.module.css'

/** Stands where content could not be loaded. */
export function LoadFailure({ error, retry }: { error: unknown; retry(): void }) {
  const t = useText(shellText)
  return (
    <div className={styles.inline} role="alert">
      <p>{messageOf(error)}</p>
      <Button
        variant="default"
        size="xs"
        leftSection={<RotateCw size={14} aria-hidden />}
        onClick={() => retry()}
      >
        {t('action.retry')}
      </Button>
    </div>
  )
}
