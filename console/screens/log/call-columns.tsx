import { logTypes } from '../../../contract/log-types.ts'
import type { LogView } from '../../../contract/logs.ts'
import { formatCount } from '../../format.ts'
import { shortNumber } from '../../quota.ts'
import { Amount } from '../../ui/amounts/amount.tsx'
import { nothing } from '../../ui/content/nothing.tsx'
import { Copied, cellWords, isCall, Latency, Said, saidIn, TypeTag } from './cells.tsx'
import type { LogColumn, LogColumns } from './columns.tsx'
import styles from './log.module.css'
import { priceWords } from './price-words.ts'
import { readOther } from './read-other.ts'

/** What was asked for, and what the row says where that was no call. */
export function subjectColumns({ t, isWide }: LogColumns): LogColumn[] {
  const words = cellWords(t)
  return [
    {
      id: 'type',
      header: t('type'),
      width: 72,
      inCard: 'beside',
      cell: ({ type }) => {
        const tag = <TypeTag words={words} type={type} />
        return type === logTypes.consumption ? <span className={styles.usual}>{tag}</span> : tag
      },
    },
    {
      id: 'model',
      header: t('model'),
      // With room to spare, what is left is for the words at the end.
      ...(isWide ? { width: 208 } : {}),
      inCard: 'plain',
      // Rows of other kinds have no model, time or cost; what they say takes the place of all that.
      reachesEnd: row => !isCall(row),
      cell: row => (isCall(row) ? <Model row={row} title={words.copy} /> : <Said text={saidIn(row)} />),
    },
  ]
}

/** How long it took, and what it came to. */
export function figureColumns({ t, status }: LogColumns): LogColumn[] {
  const words = cellWords(t)
  const tokens = (row: LogView, count: number) =>
    row.type === logTypes.consumption || count > 0 ? <Tokens count={count} /> : nothing
  return [
    {
      id: 'latency',
      header: t('latency'),
      width: 128,
      inCard: 'plain',
      cell: row => <Latency words={words} row={row} />,
    },
    {
      id: 'prompt',
      header: t('prompt'),
      width: 72,
      align: 'end',
      wideOnly: true,
      cell: row => tokens(row, row.prompt_tokens),
    },
    {
      id: 'completion',
      header: t('completion'),
      width: 72,
      align: 'end',
      wideOnly: true,
      cell: row => tokens(row, row.completion_tokens),
    },
    {
      id: 'cost',
      header: t('cost'),
      width: 96,
      align: 'end',
      inCard: 'beside',
      // What was given is no cost; the row says it in words.
      cell: row =>
        isCall(row) && row.quota !== 0 ? (
          <Amount quota={row.quota} status={status} digits={6} room={11} />
        ) : (
          nothing
        ),
    },
  ]
}

/** Which way it went, and how it ended. */
export function outcomeColumns({ t, status, isWide }: LogColumns): LogColumn[] {
  return [
    {
      id: 'retry',
      header: t('retry'),
      width: 128,
      admin: true,
      wideOnly: true,
      cell: row => {
        const { tried } = readOther(row)
        return tried.length > 1 ? (
          <span className={`${styles.mono} ${styles.said}`}>{tried.join(' → ')}</span>
        ) : (
          nothing
        )
      },
    },
    {
      id: 'content',
      header: t('content'),
      ...(isWide ? {} : { width: 240 }),
      wideOnly: true,
      // Of what went well there is nothing to say but what it was charged at.
      cell: row => {
        const text = saidIn(row) || (status ? priceWords(row, status.quota_per_unit) : '')
        return text === '' ? nothing : <Said text={text} />
      },
    },
  ]
}

/** A batch has millions, for which there is no room; they are counted under the row. */
function Tokens({ count }: { count: number }) {
  const whole = formatCount(count)
  return count < 1_000_000 ? whole : <span title={whole}>{shortNumber(count)}</span>
}

/** A call that failed or broke off says why, under its model. */
function Model({ row, title }: { row: LogView; title: string }) {
  const name = <Copied title={title} text={row.model_name} mono />
  const said = isCall(row) ? saidIn(row) : ''
  if (said === '') return name
  return (
    <span className={styles.failedCall} data-lines>
      {name}
      <Said text={said} />
    </span>
  )
}
