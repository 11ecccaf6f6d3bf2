import { logTypes } from '../../../contract/log-types.ts'
import type { LogView } from '../../../contract/logs.ts'
import type { StatusDocument } from '../../../contract/system.ts'
import { formatCount, formatTime } from '../../format.ts'
import { formatQuota, shortNumber } from '../../quota.ts'
import { Amount } from '../../ui/amounts/amount.tsx'
import { GroupTag } from '../../ui/content/group-tag.tsx'
import type { Column } from '../../ui/table/column.ts'
import {
  Copied,
  cellWords,
  isCall,
  Latency,
  type LogTranslate,
  nameClass,
  saidIn,
  TypeTag,
  tokenWord,
} from './cells.tsx'
import styles from './log.module.css'
import { readOther } from './read-other.ts'

interface LogColumns {
  t: LogTranslate
  status: StatusDocument | undefined
  isAdmin: boolean
  /** Room for more than what a call cannot be read without. */
  isWide: boolean
  showUser(id: number): void
}

/** Exact to the unit: one of 500,000 to the dollar is six decimals. */
export function formatCharge(quota: number, status: StatusDocument | undefined): string {
  return status ? formatQuota(quota, status, 6) : ''
}

const nothing = (
  <span className={styles.none} data-none>
    –
  </span>
)

export function logColumns({ t, status, isAdmin, isWide, showUser }: LogColumns): Column<LogView>[] {
  const words = cellWords(t)
  const tokens = (row: LogView, count: number) =>
    row.type === logTypes.consumption || count > 0 ? <Tokens count={count} /> : nothing
  const all: (Column<LogView> & { admin?: true })[] = [
    {
      id: 'time',
      header: t('time'),
      width: 148,
      heading: true,
      cell: ({ created_at }) => {
        const time = formatTime(created_at)
        return (
          <time className={styles.time} title={time}>
            {time.slice(5)}
          </time>
        )
      },
    },
    {
      id: 'channel',
      header: t('channel'),
      width: isWide ? 160 : 68,
      admin: true,
      wideOnly: true,
      cell: ({ channel, channel_name }) =>
        channel === 0 ? (
          nothing
        ) : (
          <span className={styles.channel} title={channel_name}>
            <span className={styles.mono}>{channel}</span>
            {isWide && <span> {channel_name}</span>}
          </span>
        ),
    },
    {
      id: 'user',
      header: t('user'),
      width: 88,
      inCard: 'beside',
      admin: true,
      cell: ({ user_id, username }) =>
        username === '' ? (
          nothing
        ) : (
          <button
            type="button"
            className={nameClass(username)}
            aria-haspopup="dialog"
            aria-label={t('showUser', { name: username })}
            onClick={() => showUser(user_id)}
          >
            {username}
          </button>
        ),
    },
    {
      id: 'token',
      header: t('token'),
      width: 92,
      wideOnly: true,
      cell: row => <Copied title={words.copy} text={row.token_name} shown={tokenWord(row, words)} />,
    },
    {
      id: 'group',
      header: t('group'),
      width: 84,
      wideOnly: true,
      cell: ({ group }) => (group === '' ? nothing : <GroupTag name={group} />),
    },
    {
      id: 'labels',
      header: t('label'),
      width: 148,
      wideOnly: true,
      cell: ({ labels }) =>
        labels.length === 0 ? (
          nothing
        ) : (
          <span className={styles.said} title={labels.join(', ')}>
            {labels.join(', ')}
          </span>
        ),
    },
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
      inCard: 'plain',
      // Rows of other kinds have no model, time or cost; what they say takes the place of all that.
      reachesEnd: row => !isCall(row),
      cell: row =>
        isCall(row) ? (
          <Model row={row} title={words.copy} />
        ) : (
          <span className={styles.said} title={saidIn(row)}>
            {saidIn(row)}
          </span>
        ),
    },
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
      width: 64,
      align: 'end',
      wideOnly: true,
      cell: row => tokens(row, row.prompt_tokens),
    },
    {
      id: 'completion',
      header: t('completion'),
      width: 64,
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
    {
      id: 'retry',
      header: t('retry'),
      width: 112,
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
      width: 240,
      wideOnly: true,
      cell: row =>
        saidIn(row) === '' ? (
          nothing
        ) : (
          <span className={styles.said} title={saidIn(row)}>
            {saidIn(row)}
          </span>
        ),
    },
  ]
  return all.filter(({ admin }) => isAdmin || !admin)
}

/** What is left out at first, for want of room: it is under the row too. */
export function hiddenAtFirst(isAdmin: boolean, isWide: boolean): string[] {
  if (isWide) return ['labels']
  return isAdmin ? ['group', 'labels', 'retry', 'content'] : ['labels', 'content']
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
      <span className={styles.said} title={said}>
        {said}
      </span>
    </span>
  )
}
