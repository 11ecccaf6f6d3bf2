import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatMilliseconds } from '../../format.ts'
import { shortNumber } from '../../quota.ts'
import { useText } from '../../text.ts'
import { detailText } from './catalogue.ts'
import styles from './detail.module.css'
import { showShare } from './figures.ts'
import grid from './health.module.css'
import { logAddress } from './log-address.ts'
import { LogLink } from './log-link.tsx'
import { readPeriod } from './period.ts'
import { type ChannelHealth, readHealth } from './read-health.ts'
import { Sparkline } from './sparkline.tsx'
import { statisticsQuery } from './statistics-query.ts'

const FEW = 12

/**
 * How each channel fared in the last day, whatever period the rest of the screen is of. Asked for at once, shown
 * when what stands above is `ready`: it would be pushed down again.
 */
export function Health({ ready }: { ready: boolean }) {
  const t = useText(detailText)
  const [all, setAll] = useState(false)
  const period = readPeriod({ span: '24h' }, 'hour')
  const { from, to, offset } = period
  const hourly = useQuery(statisticsQuery(true, { by: 'channel', unit: 'hour', from, to, offset }))
  const totals = useQuery(statisticsQuery(true, { by: 'channel', unit: 'all', from, to, offset }))
  if (!ready || !hourly.data || !totals.data) return null
  const channels = readHealth(hourly.data.rows, totals.data.rows, to)
  if (channels.length === 0) return null
  return (
    <section className={styles.section} aria-label={t('health')}>
      <div className={styles.sectionHead}>
        <h2>{t('health')}</h2>
        <span className={styles.hint}>{t('healthLead')}</span>
      </div>
      <ul className={grid.grid}>
        {(all ? channels : channels.slice(0, FEW)).map(channel => (
          <li key={channel.id}>
            <HealthCard
              channel={channel}
              href={logAddress(period, 'requests', { by: 'channel', key: channel.id, name: channel.name })}
            />
          </li>
        ))}
      </ul>
      {channels.length > FEW && (
        <button type="button" className={grid.more} aria-expanded={all} onClick={() => setAll(now => !now)}>
          {all ? t('showFewer') : t('showAll', { count: channels.length })}
        </button>
      )}
    </section>
  )
}

function HealthCard({ channel, href }: { channel: ChannelHealth; href: string | undefined }) {
  const t = useText(detailText)
  const errors = showShare(channel.errorRate)
  const latency = channel.latency === null ? '–' : formatMilliseconds(channel.latency)
  const tone = channel.errorRate === 0 ? 'good' : channel.errorRate < 0.1 ? 'some' : 'bad'
  return (
    <LogLink className={grid.card} href={href}>
      <span className={grid.head}>
        <span className={grid.dot} data-tone={tone} />
        <span className={grid.name}>{channel.name}</span>
        <span className={grid.count}>{t('healthCount', { count: shortNumber(channel.requests) })}</span>
      </span>
      <span className={grid.line} data-tone={tone}>
        <span className={grid.label}>{t('errors')}</span>
        <Sparkline values={channel.errorRates} most={0.25} bars />
        <span className={grid.value}>{errors}</span>
      </span>
      <span className={grid.line}>
        <span className={grid.label}>{t('latency95')}</span>
        <Sparkline values={channel.latencies} bars />
        <span className={grid.value}>{latency}</span>
      </span>
    </LogLink>
  )
}
