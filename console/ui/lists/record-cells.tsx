// What lists of long jobs have in common: what one is called by, how long it took and how far it is.

import { Link } from '@tanstack/react-router'
import { copyText } from '../content/copy.ts'
import { nothing } from '../content/nothing.tsx'
import { Tag } from '../content/tag.tsx'
import styles from './record-cells.module.css'
import { timeTaken } from './time-taken.ts'

const LONG = 60

/** A click copies it. */
export function RecordId({ id }: { id: string }) {
  return (
    <button type="button" className={styles.id} title={id} onClick={() => copyText(id)}>
      {id}
    </button>
  )
}

/** A number that is a name: it stands as ids do, and leads to its channel. */
export function ChannelId({ id }: { id: number }) {
  if (id === 0) return nothing
  return (
    <Link to="/channel/edit/$id" params={{ id: String(id) }} className={styles.id}>
      {id}
    </Link>
  )
}

interface DurationProps {
  start: number
  end: number
  /** Seconds; what takes longer is red. */
  long?: number
}

/** Seconds between the two, or minutes or hours; a dash until it has ended. */
export function Duration({ start, end, long = LONG }: DurationProps) {
  if (!start || !end || end < start) return nothing
  const seconds = end - start
  return <Tag tone={seconds > long ? 'red' : 'green'}>{timeTaken(seconds)}</Tag>
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
