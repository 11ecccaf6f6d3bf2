import type { StatisticsRow } from '../../../contract/statistics.ts'
import type { Column } from '../../ui/table/column.ts'
import { type Measure, measures, type Pivot } from './choices.ts'
import styles from './detail.module.css'
import {
  type Display,
  dollarDigits,
  isAdditive,
  isMoney,
  isWait,
  needsCosts,
  readFigure,
  showFigure,
  showShare,
  uncosted,
} from './figures.ts'
import { type DetailTranslate, nameSubject } from './name-subject.ts'
import { OTHERS_COLOUR } from './series.ts'

export interface Sorting {
  readonly measure: Measure
  readonly ascending: boolean
  sort(measure: Measure): void
}

interface Setting {
  readonly t: DetailTranslate
  readonly rows: readonly StatisticsRow[]
  readonly by: Pivot
  readonly display: Display
  /** Whether any cost is known. */
  readonly withCosts: boolean
  /** What shares are of. */
  readonly whole: number
  /** The biggest row. */
  readonly most: number
  readonly shareOf: Measure
  /** Of those that have one in the chart. */
  readonly colours: ReadonlyMap<string, string>
  readonly sorting: Sorting
  addressOf(row: StatisticsRow): string | undefined
}

const widths: Record<Measure, number> = {
  spend: 80,
  cost: 80,
  margin: 84,
  requests: 84,
  tokens: 76,
  errors: 84,
  latency50: 94,
  latency95: 94,
  first50: 78,
  first95: 78,
}
/** So many characters of an amount have room in these; each further one has so many pixels more. */
const USUAL_AMOUNT = 7
const CHARACTER = 8
/** On a phone the slow ones say enough, and so they do beside what calls cost. */
const usualWaits: readonly Measure[] = ['latency50', 'first50']

export function breakdownColumns(setting: Setting): Column<StatisticsRow>[] {
  const { t, rows, by, display, withCosts, whole, most, shareOf, sorting } = setting
  const order = (measure: Measure) => {
    if (sorting.measure !== measure) return undefined
    return sorting.ascending ? 'ascending' : 'descending'
  }
  const shown = measures
    .filter(one => (withCosts ? !usualWaits.includes(one) : !needsCosts(one)))
    .filter(one => by !== 'label' || !isWait(one))
  // The same in all columns of money, so that one less another is seen to be the third.
  const digits = dollarDigits(
    shown.filter(isMoney).flatMap(one => rows.map(row => readFigure(row, one, display))),
  )
  const further = (measure: Measure) =>
    rows.reduce((most, row) => {
      const text = showFigure(readFigure(row, measure, display), measure, display, digits)
      return Math.max(most, text.length - USUAL_AMOUNT)
    }, 0)
  return [
    { id: 'name', header: t(by), heading: true, cell: row => nameCell(row, setting) },
    {
      id: 'share',
      header: t('share'),
      width: 100,
      cell: row => {
        const figure = readFigure(row, shareOf, display) ?? 0
        return shareCell(whole > 0 ? figure / whole : 0, most > 0 ? figure / most : 0)
      },
    },
    ...shown.map(
      (measure): Column<StatisticsRow> => ({
        id: measure,
        header: t(measure),
        width: widths[measure] + (isMoney(measure) ? further(measure) * CHARACTER : 0),
        align: 'end',
        ...((usualWaits.includes(measure) || measure === 'cost') && { wideOnly: true as const }),
        sort: { order: order(measure), act: () => sorting.sort(measure) },
        cell: row => {
          const value = readFigure(row, measure, display)
          const bad = value !== null && (measure === 'errors' ? value >= 0.1 : value < 0)
          return (
            <span
              className={value === null || value === 0 ? styles.quiet : undefined}
              data-bad={bad || undefined}
            >
              {showFigure(value, measure, display, isMoney(measure) ? digits : undefined)}
              {measure === 'margin' && value !== null && uncosted(row) > 0 && (
                <span className={styles.star}>*</span>
              )}
            </span>
          )
        },
      }),
    ),
  ]
}

function nameCell(row: StatisticsRow, { t, by, colours, addressOf }: Setting) {
  const name = nameSubject(row, by, t)
  const address = addressOf(row)
  return (
    <span className={styles.subject}>
      <span className={styles.swatch} style={{ background: colours.get(row.key) ?? OTHERS_COLOUR }} />
      {address ? (
        <a className={styles.subjectName} href={address} title={t('openLogs', { name })}>
          {name}
        </a>
      ) : (
        <span className={styles.subjectName}>{name}</span>
      )}
    </span>
  )
}

/** The bar compares the rows; the number says how much of everything it is. */
function shareCell(share: number, length: number) {
  return (
    <span className={styles.share}>
      <span className={styles.shareTrack}>
        <span className={styles.shareBar} style={{ width: `${length * 100}%` }} />
      </span>
      <span className={styles.shareText}>{showShare(share)}</span>
    </span>
  )
}

/** Shares are of what adds up, of anything else they are of the calls; gains and losses share nothing. */
export function shareMeasure(measure: Measure): Measure {
  if (measure === 'margin') return 'spend'
  return isAdditive(measure) ? measure : 'requests'
}
