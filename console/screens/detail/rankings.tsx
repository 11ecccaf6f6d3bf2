import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useText } from '../../text.ts'
import { shareMeasure } from './breakdown-columns.tsx'
import { detailText } from './catalogue.ts'
import type { DetailSearch, Measure, Pivot } from './choices.ts'
import detail from './detail.module.css'
import { type Display, dollarDigits, isMoney, readFigure, showFigure, showShare } from './figures.ts'
import { logAddress } from './log-address.ts'
import { LogLink } from './log-link.tsx'
import { nameSubject, pivotLabels } from './name-subject.ts'
import type { Period } from './period.ts'
import styles from './rankings.module.css'
import { rankRows } from './series.ts'
import { statisticsQuery } from './statistics-query.ts'

/** In the order in which they are asked for. */
const asked: readonly Pivot[] = ['user', 'token', 'model', 'channel', 'group']
const CARDS = 3
const FIRST = 5

interface RankingsProps {
  /** What the chart and the table below are by: that needs no ranking of its own. */
  by: Pivot
  offered: readonly Pivot[]
  period: Period
  measure: Measure
  wholeSite: boolean
  display: Display
  /** Asked for at once, shown when what stands above is there. */
  ready: boolean
  change(search: DetailSearch): void
}

/** Who and what comes first, by everything else that the period can be broken down by. */
export function Rankings({ by, offered, measure, ready, ...others }: RankingsProps) {
  const t = useText(detailText)
  const shown = asked.filter(pivot => pivot !== by && offered.includes(pivot)).slice(0, CARDS)
  return (
    <section className={detail.section} aria-label={t('rankings')} hidden={!ready}>
      <div className={styles.grid}>
        {shown.map(pivot => (
          <Ranking key={pivot} by={pivot} measure={shareMeasure(measure)} ready={ready} {...others} />
        ))}
      </div>
    </section>
  )
}

type RankingProps = Omit<RankingsProps, 'offered'>

function Ranking({ by, measure, period, wholeSite, display, ready, change }: RankingProps) {
  const t = useText(detailText)
  const { from, to, offset } = period
  const { data, isError } = useQuery({
    ...statisticsQuery(wholeSite, { by, unit: 'all', from, to, offset }),
    placeholderData: keepPreviousData,
  })
  if (!ready) return null
  const rows = data?.rows ?? []
  const figures = rows.map(row => readFigure(row, measure, display) ?? 0)
  const whole = figures.reduce((sum, figure) => sum + figure, 0)
  const most = Math.max(...figures, 0)
  const first = rankRows(rows, measure, display).slice(0, FIRST)
  const digits = isMoney(measure)
    ? dollarDigits(first.map(row => readFigure(row, measure, display)))
    : undefined
  const title = t('chartTitle', { measure: t(measure), by: t(pivotLabels[by]) })
  return (
    <section className={styles.card} aria-label={title}>
      <div className={styles.head}>
        <h2>{title}</h2>
        {rows.length > FIRST && (
          <button
            type="button"
            className={styles.all}
            onClick={() => change({ by: by === 'model' ? undefined : by })}
          >
            {t('showAll', { count: rows.length })}
          </button>
        )}
      </div>
      <ol className={styles.list} data-loading={(!data && !isError) || undefined}>
        {first.map(row => {
          const figure = readFigure(row, measure, display) ?? 0
          const name = nameSubject(row, by, t)
          const length = most > 0 ? Math.max(0, figure / most) : 0
          return (
            <li key={row.key}>
              <LogLink className={styles.row} href={logAddress(period, measure, { by, ...row })}>
                <span className={styles.bar} style={{ width: `${length * 100}%` }} />
                <span className={styles.name} title={name}>
                  {name}
                </span>
                <span className={styles.figure}>{showFigure(figure, measure, display, digits)}</span>
                <span className={styles.share}>{showShare(whole > 0 ? figure / whole : 0)}</span>
              </LogLink>
            </li>
          )
        })}
      </ol>
      {(data?.truncated || isError) && (
        <p className={styles.note}>{data?.truncated ? t('truncated') : t('rankingFailed')}</p>
      )}
    </section>
  )
}
