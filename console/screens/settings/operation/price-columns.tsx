import { useMemo } from 'react'
import { formatCount } from '../../../format.ts'
import { useText } from '../../../text.ts'
import { nothing } from '../../../ui/content/nothing.tsx'
import { Tag, type Tone } from '../../../ui/content/tag.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { operationText } from './catalogue.ts'
import styles from './operation.module.css'
import { formatDollars, formatFigure, longRatiosOf, pricePerMillion } from './price-form.ts'
import type { ListedRow, Origin } from './price-rows.ts'

/** What is built in needs no word. */
const origins: Readonly<Record<Origin, { tone: Tone; label: 'origin.own' | 'origin.changed' } | undefined>> =
  {
    own: { tone: 'blue', label: 'origin.own' },
    changed: { tone: 'yellow', label: 'origin.changed' },
    'built-in': undefined,
  }
const NONE = '–'

export function usePriceColumns(): readonly Column<ListedRow>[] {
  const t = useText(operationText)
  return useMemo(() => {
    const figure = (value: number | undefined) => (value === undefined ? nothing : formatFigure(value))
    const dollars = (value: number | undefined) => (value === undefined ? NONE : formatDollars(value))
    return [
      {
        id: 'name',
        header: t('model'),
        heading: true,
        cell: ({ name, origin }) => {
          const mark = origins[origin]
          return (
            <span className={styles.model}>
              <code title={name}>{name}</code>
              {mark && <Tag tone={mark.tone}>{t(mark.label)}</Tag>}
            </span>
          )
        },
      },
      {
        id: 'price',
        header: t('row.price'),
        width: 76,
        align: 'end',
        inCard: 'figure',
        cell: ({ price }) => (price === undefined ? nothing : formatDollars(price)),
      },
      {
        id: 'ratio',
        header: t('row.ratio'),
        width: 76,
        align: 'end',
        inCard: 'figure',
        cell: ({ price, ratio }) => (price === undefined ? figure(ratio) : nothing),
      },
      {
        id: 'completionRatio',
        header: t('row.completionRatio'),
        width: 76,
        align: 'end',
        inCard: 'figure',
        cell: ({ price, completionRatio }) => (price === undefined ? figure(completionRatio) : nothing),
      },
      {
        id: 'million',
        header: t('row.million'),
        // The dearest has six digits, and more words for long input.
        width: 164,
        align: 'end',
        inCard: 'figure',
        cell: row => {
          const cost = row.price === undefined ? pricePerMillion(row) : undefined
          if (!cost) return nothing
          const usual = `${dollars(cost.prompt)} / ${dollars(cost.completion)}`
          const long = longRatiosOf(row)
          const longCost = long && pricePerMillion(long)
          if (!longCost) return usual
          return (
            <span className={styles.lines} data-lines>
              <span>{usual}</span>
              <small>
                &gt;{formatCount(long.over / 1000)}K {dollars(longCost.prompt)} /{' '}
                {dollars(longCost.completion)}
              </small>
            </span>
          )
        },
      },
    ]
  }, [t])
}
