import { useQuery } from '@tanstack/react-query'
import {
  type Monitor,
  monitorStates,
  type UptimeOfPage,
  uptimeEndpoints,
} from '../../../../contract/uptime.ts'
import { call } from '../../../api.ts'
import { useText } from '../../../text.ts'
import { Tag, type Tone } from '../../../ui/content/tag.tsx'
import { LoadFailure } from '../../../ui/page/load-failure.tsx'
import { Skeleton } from '../../../ui/page/skeleton.tsx'
import { detailText } from '../catalogue.ts'
import { Panel } from './panel.tsx'
import styles from './uptime.module.css'

const AGAIN_MS = 60_000

const states = {
  [monitorStates.up]: { tone: 'green', word: 'stateUp' },
  [monitorStates.down]: { tone: 'red', word: 'stateDown' },
  [monitorStates.pending]: { tone: 'yellow', word: 'statePending' },
  [monitorStates.maintenance]: { tone: 'blue', word: 'stateMaintenance' },
} as const satisfies Record<number, { tone: Tone; word: string }>
const unknown = { tone: 'grey', word: 'stateUnknown' } as const

function stateOf(status: number | null) {
  return (status === null ? undefined : states[status as keyof typeof states]) ?? unknown
}

/** The operator's status pages, one below the other. */
export function Uptime() {
  const t = useText(detailText)
  const { data, error, refetch } = useQuery({
    queryKey: ['uptime'],
    queryFn: ({ signal }) => call(uptimeEndpoints.uptimeStatus, { signal }),
    staleTime: AGAIN_MS,
    refetchInterval: AGAIN_MS,
  })
  return (
    <Panel title={t('uptime')}>
      {!data && (error ? <LoadFailure error={error} retry={() => refetch()} /> : <Skeleton rows={3} />)}
      {data?.map((page, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two pages may be called the same
        <Page key={`${at} ${page.categoryName}`} page={page} />
      ))}
    </Panel>
  )
}

function Page({ page: { categoryName, description, away, monitors } }: { page: UptimeOfPage }) {
  const t = useText(detailText)
  const groups = Map.groupBy(monitors, ({ group }) => group)
  return (
    <section className={styles.page} aria-label={categoryName}>
      <div className={styles.head}>
        <h3>{categoryName}</h3>
        {away && <Tag tone="orange">{t('pageAway')}</Tag>}
      </div>
      {description !== '' && <p className={styles.quiet}>{description}</p>}
      {!away && monitors.length === 0 && <p className={styles.quiet}>{t('pageBlank')}</p>}
      {[...groups].map(([group, own]) => (
        <div key={group}>
          {groups.size > 1 && <p className={styles.quiet}>{group}</p>}
          <ul className={styles.monitors}>
            {own.map((monitor, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two monitors may be called the same
              <li key={`${at} ${monitor.name}`} className={styles.monitor}>
                <Watched monitor={monitor} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

function Watched({ monitor: { name, status, uptime, beats } }: { monitor: Monitor }) {
  const t = useText(detailText)
  const { tone, word } = stateOf(status)
  const share = uptime === null ? '' : showUptime(uptime)
  return (
    <>
      <div className={styles.line}>
        <span className={styles.dot} data-tone={tone} />
        <span className={styles.name} title={name}>
          {name}
        </span>
        {/* That something works is said by its dot, to those who see it. */}
        <span className={tone === 'green' ? styles.unseen : undefined}>
          <Tag tone={tone}>{t(word)}</Tag>
        </span>
        <span className={styles.share} title={share && t('uptimeOf', { share })}>
          {share || '–'}
        </span>
      </div>
      {/* The newest at the right end, however few there are. */}
      <div className={styles.beats} aria-hidden>
        {beats.toReversed().map((beat, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a beat is nothing but its place
          <span key={at} data-tone={stateOf(beat).tone} />
        ))}
      </div>
    </>
  )
}

/** Never rounded up to all of it. */
function showUptime(share: number): string {
  const percent = Math.floor(share * 10_000) / 100
  return `${percent === 100 ? percent : percent.toFixed(2)}%`
}
