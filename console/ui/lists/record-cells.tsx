// What lists of long jobs have in common: what one is called by, how long it took and how far it is.

import { copyText } from '../content/copy.ts'
import { Tag } from '../content/tag.tsx'
import styles from './record-cells.module.css'

const LONG = 60
const HOUR = 3600

/** A click copies it. */
export function RecordId({ id }: { id: string }) {
  return (
    <button type="button" className={styles.id} title={id} onClick={() => copyText(id)}>
      {id}
    </button>
  )
}

interface DurationProps {
  start: number
  end: number
  /** Seconds; what takes longer is red. */
  long?: number
}

/** Seconds between the two, or hours; a dash until it has ended. */
export function Duration({ start, end, long = LONG }: DurationProps) {
  if (!start || !end || end < start) return <span className={styles.none}>–</span>
  const seconds = end - start
  const text = seconds < HOUR ? `${seconds.toFixed(0)} s` : `${(seconds / HOUR).toFixed(1)} h`
  return <Tag tone={seconds > long ? 'red' : 'green'}>{text}</Tag>
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
