import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ApiAddress } from '../../../../contract/panels.ts'
import { formatMilliseconds } from '../../../format.ts'
import { reloadForPolicy } from '../../../reload-for-policy.ts'
import { useText } from '../../../text.ts'
import { CopyButton } from '../../../ui/content/copy-button.tsx'
import { Tag, type Tone } from '../../../ui/content/tag.tsx'
import { detailText } from '../catalogue.ts'
import { askedAt, type Latency, measureLatency } from './measure-latency.ts'
import { Panel } from './panel.tsx'
import styles from './panels.module.css'

/** The ways to this gateway, each to copy, and to test from where its reader is. */
export function Addresses({ entries }: { entries: readonly ApiAddress[] }) {
  const t = useText(detailText)
  useEffect(
    () => reloadForPolicy('connect-src', asked => entries.some(({ url }) => askedAt(url).href === asked)),
    [entries],
  )
  return (
    <Panel title={t('addresses')}>
      <ul className={styles.list}>
        {entries.map((entry, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same address may stand there twice
          <Address key={`${at} ${entry.url}`} entry={entry} />
        ))}
      </ul>
    </Panel>
  )
}

function Address({ entry: { url, route, description, color } }: { entry: ApiAddress }) {
  const t = useText(detailText)
  const { mutate, data, isPending } = useMutation({ mutationFn: () => measureLatency(url) })
  return (
    <li className={styles.address}>
      <div className={styles.way}>
        <Tag tone={color}>{route}</Tag>
        <span className={styles.measured} role="status">
          {data !== undefined && !isPending && <Measured latency={data} />}
        </span>
        <Button
          size="compact-xs"
          variant="default"
          loading={isPending}
          aria-label={t('latencyTestOf', { name: route })}
          onClick={() => mutate()}
        >
          {t('latencyTest')}
        </Button>
      </div>
      <div className={styles.copied}>
        <code>{url}</code>
        <CopyButton text={url} label={`${t('action.copy')} ${url}`} />
      </div>
      {description !== '' && <p className={styles.quiet}>{description}</p>}
    </li>
  )
}

function Measured({ latency }: { latency: Latency }) {
  const t = useText(detailText)
  if (latency === 'unreachable') return <Tag tone="red">{t('unreachable')}</Tag>
  if (latency === 'refused') return <Tag>{t('notFromHere')}</Tag>
  return <Tag tone={toneOf(latency)}>{formatMilliseconds(latency)}</Tag>
}

function toneOf(milliseconds: number): Tone {
  if (milliseconds <= 300) return 'green'
  return milliseconds <= 1000 ? 'yellow' : 'orange'
}
