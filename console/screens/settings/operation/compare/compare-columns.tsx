import { useMemo } from 'react'
import type { ComparedModel, ListedPrice } from '../../../../../contract/price-sources.ts'
import { formatCount } from '../../../../format.ts'
import { type TranslateOf, useText } from '../../../../text.ts'
import { Tag } from '../../../../ui/content/tag.tsx'
import type { Column } from '../../../../ui/table/column.ts'
import { operationText } from '../catalogue.ts'
import operationStyles from '../operation.module.css'
import { formatDollars } from '../price-form.ts'
import styles from './compare.module.css'
import { type Costs, costsOf, formatSurplus, surplusOf } from './compared-price.ts'

const NONE = '–'

export function useCompareColumns(): readonly Column<ComparedModel>[] {
  const t = useText(operationText)
  return useMemo(
    () => [
      {
        id: 'model',
        header: t('model'),
        heading: true,
        cell: ({ model }) => (
          <span className={operationStyles.model}>
            <code title={model}>{model}</code>
          </span>
        ),
      },
      {
        id: 'own',
        header: t('compare.own'),
        width: 168,
        align: 'end',
        inCard: 'figure',
        cell: ({ own }) =>
          own ? <Price t={t} price={own} /> : <Tag tone="orange">{t('compare.unpriced')}</Tag>,
      },
      {
        id: 'theirs',
        header: t('compare.theirs'),
        width: 168,
        align: 'end',
        inCard: 'figure',
        cell: ({ theirs }) => <Price t={t} price={theirs} />,
      },
      {
        id: 'surplus',
        header: '±',
        width: 80,
        align: 'end',
        inCard: 'beside',
        cell: row => {
          const surplus = surplusOf(row)
          return surplus === undefined ? NONE : formatSurplus(surplus)
        },
      },
    ],
    [t],
  )
}

/** Input and output; below them what the cache costs, and what both become with long input, where that is known. */
function Price({ t, price }: { t: TranslateOf<typeof operationText>; price: ListedPrice }) {
  const { call, tokens, longFrom } = costsOf(price)
  if (call !== undefined) return t('cost.call', { price: formatDollars(call) })
  const hasCache = tokens.cacheRead !== undefined || tokens.cacheWrite !== undefined
  return (
    <span className={styles.price} data-lines>
      <span>{pair(tokens.input, tokens.output)}</span>
      {hasCache && <span className={styles.cache}>{pair(tokens.cacheRead, tokens.cacheWrite)}</span>}
      {longFrom !== undefined && (
        <span className={styles.cache}>
          &gt;{formatCount(longFrom / 1000)}K {pair(tokens.longInput, tokens.longOutput)}
        </span>
      )}
    </span>
  )
}

function pair(one: Costs['call'], other: Costs['call']): string {
  return [one, other].map(cost => (cost === undefined ? NONE : formatDollars(cost))).join(' / ')
}
