import { Link } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { logTypes } from '../../../contract/log-types.ts'
import type { LogView } from '../../../contract/logs.ts'
import { tellFailure } from '../../../contract/tell-failure.ts'
import { useLanguage, useText } from '../../text.ts'
import { Tag } from '../../ui/content/tag.tsx'
import { logText } from './catalogue.ts'
import styles from './log.module.css'
import { breakOf, readOther } from './read-other.ts'

interface TriedChannelsProps {
  row: LogView
  channels: readonly { readonly id: number; readonly name: string }[]
}

const wholeLine: CSSProperties = { gridColumn: '1 / -1', margin: 0, overflowWrap: 'anywhere' }

/** Whether it is its upstream's doing that an answer broke off. */
function isChannels(broke: string | undefined): boolean {
  return broke === 'cut' || broke === 'timeout' || broke === 'problem'
}

/** Every channel that was tried, one after the other; administrators only. */
export function TriedChannels({ row, channels }: TriedChannelsProps) {
  const t = useText(logText)
  const language = useLanguage()
  const { tried, failed, numbers } = readOther(row)
  if (tried.length === 0) return null
  const nameOf = (id: number) =>
    channels.find(channel => channel.id === id)?.name || (id === row.channel ? row.channel_name : '')
  return (
    <section>
      <h2 className={styles.heading}>{t('tried')}</h2>
      <ol className={styles.tried}>
        {tried.map((id, at) => {
          const isLast = at === tried.length - 1
          const answered = isLast && row.type === logTypes.consumption && !isChannels(breakOf(row))
          const reason = failed[at]
          const status = /^status (\d+)/.exec(reason ?? '')?.[1] ?? (isLast ? numbers.status_code : undefined)
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
              {reason !== undefined && (
                <span className={styles.note} style={wholeLine}>
                  {tellFailure(reason, language)}
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
