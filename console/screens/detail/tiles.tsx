import { ArrowDown, ArrowUp } from 'lucide-react'
import type { StatisticsRow } from '../../../contract/statistics.ts'
import { useText } from '../../text.ts'
import { detailText } from './catalogue.ts'
import type { Measure } from './choices.ts'
import styles from './detail.module.css'
import { type Change, type Display, type Figures, readChange, readFigure, showFigure } from './figures.ts'
import { trendOf } from './series.ts'
import { Sparkline } from './sparkline.tsx'
import tile from './tiles.module.css'

interface TilesProps {
  now: Figures
  before: Figures
  trend: readonly StatisticsRow[]
  buckets: readonly number[]
  display: Display
  measure: Measure
  choose(measure: Measure): void
}

/** `also` is said in small beside it. */
const shown: readonly { readonly measure: Measure; readonly also?: Measure }[] = [
  { measure: 'spend' },
  { measure: 'requests' },
  { measure: 'tokens' },
  { measure: 'errors' },
  { measure: 'latency50', also: 'latency95' },
  { measure: 'first50', also: 'first95' },
]

/** The figures of the whole period; each leads the chart to itself. */
export function Tiles(props: TilesProps) {
  const { measure: chosen, choose } = props
  const t = useText(detailText)
  return (
    <div className={tile.tiles}>
      {shown.map(({ measure, also }) => (
        <button
          key={measure}
          type="button"
          className={tile.tile}
          data-measure={measure}
          aria-pressed={measure === chosen || also === chosen}
          onClick={() => choose(measure)}
        >
          <span className={tile.name}>{t(measure)}</span>
          <TileContent {...props} measure={measure} also={also} />
        </button>
      ))}
    </div>
  )
}

function TileContent({
  now,
  before,
  trend,
  buckets,
  display,
  measure,
  also,
}: Omit<TilesProps, 'choose'> & { also: Measure | undefined }) {
  const t = useText(detailText)
  const value = readFigure(now, measure, display)
  const change = readChange(value, readFigure(before, measure, display), measure)
  const isCost = measure !== 'spend' && measure !== 'requests' && measure !== 'tokens'
  const said = change
    ? change.direction === 'same'
      ? t('same')
      : t(change.direction, { change: change.text })
    : t('noChange')
  return (
    <>
      <span className={tile.figure}>
        <span className={tile.value} data-value={value ?? ''}>
          {showFigure(value, measure, display)}
        </span>
        {also && (
          <span className={tile.also}>p95 {showFigure(readFigure(now, also, display), also, display)}</span>
        )}
      </span>
      <span className={tile.foot}>
        <span className={tile.change} data-tone={toneOf(change, isCost)} title={said}>
          <span className={styles.unseen}>{said}</span>
          <span aria-hidden className={tile.changeText}>
            {change?.direction === 'up' && <ArrowUp size={12} />}
            {change?.direction === 'down' && <ArrowDown size={12} />}
            {change && (change.direction === 'same' ? '–' : change.text)}
          </span>
        </span>
        <Sparkline values={trendOf(trend, buckets, measure, display)} />
      </span>
    </>
  )
}

/** More calls are neither good nor bad; more failures and longer waits are. */
function toneOf(change: Change | undefined, isCost: boolean): 'good' | 'bad' | undefined {
  if (!isCost || !change || change.direction === 'same') return undefined
  return change.direction === 'up' ? 'bad' : 'good'
}
