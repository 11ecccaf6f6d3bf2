import type { LogView } from '../../../contract/logs.ts'
import { formatTime } from '../../format.ts'
import { GroupTag } from '../../ui/content/group-tag.tsx'
import { nothing } from '../../ui/content/nothing.tsx'
import { Copied, cellWords, nameClass, Said, tokenWord } from './cells.tsx'
import type { LogColumn, LogColumns } from './columns.tsx'
import styles from './log.module.css'
import { readOther } from './read-other.ts'

/** When it was, and on whose account. */
export function callerColumns({ t, isWide, showUser }: LogColumns): LogColumn[] {
  const words = cellWords(t)
  return [
    {
      id: 'time',
      header: t('time'),
      width: 132,
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
      width: isWide ? 184 : 68,
      admin: true,
      wideOnly: true,
      cell: row => (row.channel === 0 ? nothing : <Channel row={row} isWide={isWide} retried={t('retry')} />),
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
      cell: ({ labels }) => (labels.length === 0 ? nothing : <Said text={labels.join(', ')} />),
    },
  ]
}

interface ChannelProps {
  row: LogView
  isWide: boolean
  retried: string
}

/** Who served it, and whom it was asked of before: by name where there is room, or else by how many there were. */
function Channel({ row, isWide, retried }: ChannelProps) {
  const { tried } = readOther(row)
  const way = tried.length > 1 ? tried.join(' → ') : String(row.channel)
  return (
    <span className={styles.channel} title={`${way} ${row.channel_name}`}>
      <span className={styles.mono}>{isWide ? way : row.channel}</span>
      {isWide && <span> {row.channel_name}</span>}
      {!isWide && tried.length > 1 && (
        <span className={styles.retried} role="img" aria-label={`${retried} ${way}`}>
          ↻{tried.length - 1}
        </span>
      )}
    </span>
  )
}
