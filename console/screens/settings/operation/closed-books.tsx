import { useQuery } from '@tanstack/react-query'
import { channelEndpoints } from '../../../../contract/channels.ts'
import { ledgerEndpoints } from '../../../../contract/ledger.ts'
import { call } from '../../../api.ts'
import { formatCount, formatTime } from '../../../format.ts'
import { useText } from '../../../text.ts'
import { operationText } from './catalogue.ts'
import styles from './operation.module.css'

const WORK = 'close-books'
const LOOK_MS = 2000

/** How far the closing of old months has come; nothing where none is wanted and there never was one. */
export function ClosedBooks({ isWanted }: { isWanted: boolean }) {
  const t = useText(operationText)
  const works = useQuery({
    queryKey: ['work'],
    queryFn: ({ signal }) => call(channelEndpoints.listWork, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(isClosing) ? LOOK_MS : false),
  })
  const work = works.data?.find(isClosing)
  const months = useQuery({
    queryKey: ['closed-months'],
    queryFn: ({ signal }) => call(ledgerEndpoints.closedMonths, { signal }),
    refetchInterval: ({ state }) => (state.data?.[0]?.state === 'closing' ? LOOK_MS : false),
  })
  const [last] = months.data ?? []
  if (!months.data || (!last && !isWanted)) return null
  if (work && work.total > 0) {
    const running = t('books.running', { done: formatCount(work.done), total: formatCount(work.total) })
    return (
      <div className={styles.progress}>
        <progress value={work.done} max={work.total} aria-label={running} />
        <span>{running}</span>
      </div>
    )
  }
  if (!last) return <p className={styles.books}>{t('books.none')}</p>
  if (last.state === 'closing')
    return <p className={styles.books}>{t('books.begun', { month: last.month })}</p>
  const { month, calls, closed_at } = last
  return (
    <p className={styles.books}>
      {t('books.last', { month, calls: formatCount(calls), time: formatTime(closed_at) })}
    </p>
  )
}

function isClosing({ name, running }: { name: string; running: boolean }): boolean {
  return name === WORK && running
}
