import { Button } from '@mantine/core'
import { useText } from '../../../text.ts'
import type { Settings } from '../ask/settings.ts'
import { playgroundText } from '../models/catalogue.ts'
import { generate } from '../talk/conversation-store.ts'
import styles from './turn.module.css'

interface MissingAnswerProps {
  turnId: string
  column: number
  settings: Settings
  onDone(): void
}

/** A column that joined later, or whose answer was deleted. */
export function MissingAnswer({ turnId, column, settings, onDone }: MissingAnswerProps) {
  const t = useText(playgroundText)
  return (
    <div className={styles.missing}>
      <span>{t('answer.missing')}</span>
      <Button
        size="xs"
        variant="default"
        onClick={() => {
          generate(turnId, column, settings)
          onDone()
        }}
      >
        {t('answer.generate')}
      </Button>
    </div>
  )
}
