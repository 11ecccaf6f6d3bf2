import { ArrowUp } from 'lucide-react'
import { formatCount } from '../../format.ts'
import { useText } from '../../text.ts'
import { logText } from './catalogue.ts'
import type { FollowState } from './follow-logs.ts'
import styles from './live.module.css'

const words = {
  connecting: 'liveConnecting',
  open: 'liveOpen',
  lost: 'liveLost',
  refused: 'liveRefused',
} as const satisfies Record<FollowState, string>

/** Switches between the log as it is written and its pages. */
export function LiveToggle({ isOn, toggle }: { isOn: boolean; toggle(): void }) {
  const t = useText(logText)
  return (
    <button type="button" className={styles.toggle} aria-pressed={isOn} onClick={toggle}>
      <span className={styles.dot} aria-hidden />
      {t('live')}
    </button>
  )
}

interface LiveStateProps {
  state: FollowState
  count: number
  waiting: number
  showWaiting(): void
}

/** Stands where the pages would be chosen: whether rows are coming, and how many there are. */
export function LiveState({ state, count, waiting, showWaiting }: LiveStateProps) {
  const t = useText(logText)
  return (
    <div className={styles.liveState}>
      <span role="status" data-state={state} className={styles.state}>
        {t(words[state])}
      </span>
      <span>{t('liveRows', { count: formatCount(count) })}</span>
      {waiting > 0 && (
        <button type="button" className={styles.waiting} onClick={showWaiting}>
          <ArrowUp size={14} aria-hidden />
          {t('liveWaiting', { count: formatCount(waiting) })}
        </button>
      )}
    </div>
  )
}
