import { ArrowDown, ArrowUp } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { RankedVendor, Rankings } from '../../../contract/rankings.ts'
import { useText } from '../../text.ts'
import { Tag } from '../../ui/content/tag.tsx'
import { rankingsText } from './catalogue.ts'
import styles from './rankings.module.css'

type Place = Omit<RankedVendor, 'vendor'>

/** Where nothing can be told of the time before, nothing is compared with it. */
export function isCompared({ models }: Pick<Rankings, 'models'>): boolean {
  return models.some(({ rank_before }) => rank_before !== null)
}

interface Entry {
  readonly key: string
  readonly name: ReactNode
  readonly note?: string
  readonly place: Place
}

interface RankedListProps {
  title: string
  entries: readonly Entry[]
  /** With the time before. */
  compared: boolean
}

/** From the first on. */
export function RankedList({ title, entries, compared }: RankedListProps) {
  const id = useId()
  const most = entries[0]?.place.share || 1
  return (
    <section className={styles.card} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ol className={styles.list}>
        {entries.map(({ key, name, note, place }) => (
          <li key={key} className={styles.row}>
            <span className={styles.bar} style={{ width: `${(place.share / most) * 100}%` }} />
            <span className={styles.rank} data-first={place.rank <= 3 || undefined}>
              {place.rank}
            </span>
            <span className={styles.name}>
              {name}
              {note && <span className={styles.note}>{note}</span>}
            </span>
            {compared && <Moved place={place} />}
            <span className={styles.share}>{`${(place.share * 100).toFixed(1)}%`}</span>
            {compared && <Points place={place} />}
          </li>
        ))}
      </ol>
    </section>
  )
}

function Moved({ place: { rank, rank_before } }: { place: Place }) {
  const t = useText(rankingsText)
  if (rank_before === null)
    return (
      <span className={styles.moved}>
        <Tag tone="blue">{t('new')}</Tag>
      </span>
    )
  const by = rank_before - rank
  const said = by === 0 ? t('same') : t(by > 0 ? 'up' : 'down', { count: Math.abs(by) })
  return (
    <span className={styles.moved} data-way={by > 0 ? 'up' : by < 0 ? 'down' : undefined} title={said}>
      <span className={styles.unseen}>{said}</span>
      <span aria-hidden>
        {by > 0 && <ArrowUp size={12} />}
        {by < 0 && <ArrowDown size={12} />}
        {by === 0 ? '–' : Math.abs(by)}
      </span>
    </span>
  )
}

/** How much its share has changed; what has none to compare with says so beside it. */
function Points({ place: { share, share_before } }: { place: Place }) {
  const t = useText(rankingsText)
  if (share_before === null) return <span className={styles.points} />
  const points = Math.round((share - share_before) * 1000) / 10
  const text = `${points > 0 ? '+' : points < 0 ? '−' : '±'}${Math.abs(points).toFixed(1)}`
  return (
    <span className={styles.points} title={t('points', { points: text })}>
      {text}
    </span>
  )
}
