import type { Trail } from '../../../contract/logs.ts'
import { ApiError } from '../../api.ts'
import { formatTime } from '../../format.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { useLedgerWords } from '../../ui/amounts/ledger-words.ts'
import { Tag, type Tone } from '../../ui/content/tag.tsx'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { logText } from './catalogue.ts'
import { formatCharge } from './columns.tsx'
import styles from './log.module.css'

interface RequestTrailProps {
  trail: Trail | undefined
  error: unknown
  retry(): void
}

/** What became of the money of one request: set aside, charged, given back, refunded. */
export function RequestTrail({ trail, error, retry }: RequestTrailProps) {
  const t = useText(logText)
  return (
    <section>
      <h2 className={styles.heading}>{t('trail')}</h2>
      {trail?.state === 'closed' ? (
        <p className={styles.note}>{t('trailClosed')}</p>
      ) : trail && trail.state !== 'none' ? (
        <Steps trail={trail} />
      ) : trail || (error instanceof ApiError && error.kind === 'refused') ? (
        <p className={styles.note}>{t('trailNone')}</p>
      ) : error ? (
        <LoadFailure error={error} retry={retry} />
      ) : (
        <Skeleton rows={3} />
      )}
    </section>
  )
}

function Steps({ trail }: { trail: Trail }) {
  const t = useText(logText)
  const status = useStatus()
  const amount = (quota: number) => formatCharge(quota, status)
  const isOpen = trail.ended_at === 0
  const day = formatTime(trail.began_at).slice(0, 11)
  // What takes days says on which.
  const clock = (time: number) => (time === 0 ? '' : formatTime(time).replace(day, '').slice(-14))
  return (
    <>
      <ol className={styles.steps}>
        <Step time={clock(trail.began_at)} name={t('trailHeld')} amount={amount(trail.held)} tone="grey" />
        {isOpen ? (
          <Step time="" name={t('trailOpen')} amount="" tone="blue" />
        ) : (
          <>
            <Step
              time={clock(trail.ended_at)}
              name={t('trailCharged')}
              amount={amount(trail.charged)}
              tone={trail.charged > 0 ? 'green' : 'grey'}
            />
            <Step
              time={clock(trail.ended_at)}
              name={t('trailReleased')}
              amount={amount(trail.released)}
              tone="grey"
            />
            {trail.refunded > 0 && (
              <Step
                time={clock(trail.entries.find(({ kind }) => kind === 'refund')?.created_at ?? 0)}
                name={t('trailRefunded')}
                amount={amount(trail.refunded)}
                tone="orange"
              />
            )}
          </>
        )}
      </ol>
      <Price price={trail.price} />
    </>
  )
}

function Step({ time, name, amount, tone }: { time: string; name: string; amount: string; tone: Tone }) {
  return (
    <li className={styles.step}>
      <time className={styles.time}>{time}</time>
      <Tag tone={tone}>{name}</Tag>
      <span className={styles.stepAmount}>{amount}</span>
    </li>
  )
}

/** The price that the request began with; it is settled by that whatever prices do meanwhile. */
function Price({ price }: { price: Trail['price'] }) {
  const ledger = useLedgerWords()
  const shown = (
    [
      ['price', ledger('price')],
      ['modelRatio', ledger('model')],
      ['completionRatio', ledger('completionRatio')],
      ['groupRatio', ledger('group')],
      ['share', ledger('share')],
      ['batch', ledger('batch')],
    ] as const
  ).flatMap(([name, label]) => {
    const value = price[name]
    const isTold = typeof value === 'number' || typeof value === 'string'
    return isTold ? [`${label} ${name === 'price' ? '$' : ''}${value}`] : []
  })
  return shown.length === 0 ? null : <p className={styles.note}>{shown.join(' · ')}</p>
}
