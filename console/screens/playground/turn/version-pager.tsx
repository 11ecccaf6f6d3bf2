import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useText } from '../../../text.ts'
import { playgroundText } from '../models/catalogue.ts'
import { type Turn, versionsOf } from '../talk/conversation.ts'
import { turnTo } from '../talk/conversation-store.ts'
import { ToolButton } from './tool-button.tsx'
import styles from './turn.module.css'

/** An answer that was made anew has not replaced the old one: both can be read, and either be gone on from. */
export function VersionPager({ turn, column }: { turn: Turn; column: number }) {
  const t = useText(playgroundText)
  const { before, after } = versionsOf(turn, column)
  const count = before.length + 1 + after.length
  if (count === 1) return null
  return (
    <span className={styles.versions}>
      <ToolButton
        label={t('answer.previous')}
        icon={ChevronLeft}
        disabled={before.length === 0}
        onClick={() => turnTo(turn.id, column, -1)}
      />
      <span className={styles.place}>
        {before.length + 1} / {count}
      </span>
      <ToolButton
        label={t('answer.next')}
        icon={ChevronRight}
        disabled={after.length === 0}
        onClick={() => turnTo(turn.id, column, 1)}
      />
    </span>
  )
}
