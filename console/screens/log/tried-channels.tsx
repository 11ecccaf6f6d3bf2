import { Link } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { logTypes } from '../../../contract/log-types.ts'
import type { LogView } from '../../../contract/logs.ts'
import { useText } from '../../text.ts'
import { Tag } from '../../ui/tag.tsx'
import { logText } from './catalogue.ts'
import styles from './log.module.css'
import { readOther } from './read-other.ts'

interface TriedChannelsProps {
  row: LogView
  channels: readonly { readonly id: number; readonly name: string }[]
}

/** Every channel that was tried, one after the other; administrators only. */
export function TriedChannels({ row, channels }: TriedChannelsProps) {
  const t = useText(logText)
  const { tried, numbers } = readOther(row)
  if (tried.length === 0) return null
  const nameOf = (id: number) =>
    channels.find(channel => channel.id === id)?.name || (id === row.channel ? row.channel_name : '')
  return (
    <section>
      <h2 className={styles.heading}>{t('tried')}</h2>
      <ol className={styles.tried}>
        {tried.map((id, at) => {
          const answered = at === tried.length - 1 && row.type === logTypes.consumption
          const status = at === tried.length - 1 ? numbers.status_code : undefined
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a channel may be tried twice, and the order is theirs
            <li key={`${at}-${id}`} className={styles.try}>
              <span className={styles.tryName}>
                <Link to="/channel/edit/$id" params={{ id: String(id) }}>
                  <span className={styles.mono}>#{id}</span> {nameOf(id)}
                </Link>
              </span>
              <span
                className={answered ? `${styles.bar} ${styles.good}` : styles.bar}
                style={{ '--from': at / tried.length, '--part': 1 / tried.length } as CSSProperties}
                aria-hidden
              />
              <Tag tone={answered ? 'green' : 'red'}>
                {answered ? t('answered') : status === undefined ? t('failed') : t('failedWith', { status })}
              </Tag>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
