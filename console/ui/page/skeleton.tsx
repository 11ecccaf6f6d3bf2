import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import { usePageMark } from './page-mark.ts'
import styles from './skeleton.module.css'

/** So many and more are the rows of a list. */
const LIST = 8

/** Bars where content will be. They stay invisible for 150 ms, so that quick answers do not flicker. */
export function Skeleton({ rows = 3 }: { rows?: number }) {
  const t = useText(shellText)
  usePageMark('loading')
  return (
    <div
      className={rows < LIST ? styles.block : `${styles.block} ${styles.list}`}
      data-loading
      role="status"
      aria-label={t('state.loading')}
    >
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars have no identity
        <span key={row} className={styles.bar} />
      ))}
    </div>
  )
}

/** Until a screen is there; a `Page` hides that of its drawers, which is none of theirs. */
export function ScreenSkeleton() {
  return (
    <div className={styles.screen} data-coming>
      <Skeleton rows={6} />
    </div>
  )
}
