// What lists of long jobs have in common: what one is called by, how long it took and how far it is.

import { copyText } from './copy.ts'
import styles from './record-cells.module.css'
import { Tag } from './tag.tsx'

const LONG = 60

/** A click copies it. */
export function RecordId({ id }: { id: string }) {
  return (
    <button type="button" className={styles.id} title={id} onClick={() => copyText(id)}>
      {id}
    </button>
  )
}

/** Seconds between the two; a dash until it has ended. Over a minute is red. */
export function Duration({ start, end }: { start: number; end: number }) {
  if (!start || !end || end < start) return <span className={styles.none}>–</span>
  const seconds = end - start
  return <Tag tone={seconds > LONG ? 'red' : 'green'}>{`${seconds.toFixed(0)} s`}</Tag>
}

/** Such as "67%". What failed is shown in the colour of a warning. */
export function Progress({ text, failed }: { text: string; failed: boolean }) {
  const percent = Math.max(0, Math.min(100, Number.parseFloat(text) || 0))
  return (
    <span className={styles.progress} data-failed={failed || undefined}>
      <span className={styles.track}>
        <span className={styles.bar} style={{ width: `${percent}%` }} />
      </span>
      <span className={styles.percent}>{percent}%</span>
    </span>
  )
}
