import { Suspense, useState } from 'react'
import { useText } from '../../../text.ts'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import { Skeleton } from '../../../ui/page/skeleton.tsx'
import { savedText } from '../draft.ts'
import { Section, type SectionProps } from '../section.tsx'
import { operationText } from './catalogue.ts'
import { ComparePrices } from './compare/compare-prices.tsx'
import styles from './operation.module.css'
import { type PriceKey, type PriceMaps, priceKeys, writeMap } from './price-rows.ts'
import { ResetRatios } from './reset-ratios.tsx'
import { useWantedPrice } from './use-wanted-price.ts'
import { ViewSwitch } from './view-switch.tsx'

const PriceTable = lazyPart(() => import('./price-table.tsx'))

type View = 'json' | 'table'

/** Model prices, as JSON or as a table; both edit the same draft. */
export function RatioSection(props: SectionProps) {
  const t = useText(operationText)
  const [view, setView] = useState<View>('table')
  // Here, so that a look at the JSON does not lose it.
  const [search, setSearch] = useState('')
  const { wanted, settle } = useWantedPrice(props.id)
  const { id, settings, edits, options, edit, discard } = props
  const textOf = (key: PriceKey): string => {
    const setting = settings[key]
    return edits[key] ?? (setting ? savedText(setting, options.values[key]) : '{}')
  }
  const apply = (maps: PriceMaps) => {
    for (const key of priceKeys) {
      const text = writeMap(key, maps[key])
      if (text !== textOf(key)) edit(key, text)
    }
  }
  const body = `${id}-body`
  return (
    <Section
      {...props}
      keys={view === 'json' ? props.keys : props.keys.filter(key => key === 'DefaultModelRatio')}
      bodyId={body}
      before={
        <>
          <div className={styles.toolbar}>
            <ViewSwitch<View>
              label={props.title}
              controls={body}
              current={view}
              onChange={setView}
              views={[
                { id: 'json', label: t('ratio.json') },
                { id: 'table', label: t('ratio.table') },
              ]}
            />
            <div className={styles.actions}>
              {/* A text that was edited back to what it was would be an edit again. */}
              <ComparePrices dirty={props.changed.length > 0} onTaken={() => discard(props.keys)} />
              <ResetRatios onReset={() => discard(['ModelRatio'])} />
            </div>
          </div>
          {view === 'table' && (
            <Suspense fallback={<Skeleton rows={8} />}>
              <PriceTable
                texts={{
                  ModelPrice: textOf('ModelPrice'),
                  ModelRatio: textOf('ModelRatio'),
                  CompletionRatio: textOf('CompletionRatio'),
                }}
                onChange={apply}
                search={search}
                onSearch={setSearch}
                wanted={wanted}
                onSettled={settle}
              />
            </Suspense>
          )}
        </>
      }
    />
  )
}
