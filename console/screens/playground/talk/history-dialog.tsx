import { ActionIcon } from '@mantine/core'
import { X } from 'lucide-react'
import { useEffect } from 'react'
import { formatMinute } from '../../../format.ts'
import { useText } from '../../../text.ts'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { playgroundText } from '../models/catalogue.ts'
import { forgetPast, goOnWith, usePast } from './conversation-store.ts'
import { titleOf } from './history.ts'
import styles from './history-dialog.module.css'

/** What was said before, to be read again or gone on with. */
export default function HistoryDialog({ onClose }: { onClose(): void }) {
  const t = useText(playgroundText)
  const past = usePast()
  useEffect(() => {
    if (past.length === 0) onClose()
  }, [past, onClose])
  return (
    <Dialog opened onClose={onClose} title={t('history.title')} size={560}>
      <ul className={styles.list}>
        {past.map(one => (
          <li key={one.id}>
            <button
              type="button"
              className={styles.open}
              onClick={() => {
                goOnWith(one)
                onClose()
              }}
            >
              <span className={styles.title} title={titleOf(one.turns)}>
                {titleOf(one.turns)}
              </span>
              <span className={styles.time}>{formatMinute(one.at)}</span>
            </button>
            <ActionIcon
              variant="subtle"
              size={32}
              className={styles.drop}
              aria-label={t('history.remove', { name: titleOf(one.turns) })}
              onClick={() => forgetPast(one)}
            >
              <X size={16} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
