import { useState } from 'react'
import { useText } from '../../../text.ts'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import type { SectionProps } from '../section.tsx'
import { operationText } from './catalogue.ts'
import { ComparePrices } from './compare/compare-prices.tsx'
import { forEveryKey, type PriceMaps, priceKeys, writeMap } from './price-rows.ts'
import { ResetRatios } from './reset-ratios.tsx'
import { TwoWaySection, textIn } from './two-way-section.tsx'
import { useWantedPrice } from './use-wanted-price.ts'

const PriceTable = lazyPart(() => import('./price-table.tsx'))

/** Model prices, as JSON or as a table. */
export function RatioSection(props: SectionProps) {
  const t = useText(operationText)
  // Here, so that a look at the JSON does not lose it.
  const [search, setSearch] = useState('')
  const { wanted, settle } = useWantedPrice(props.id)
  const { edit, discard } = props
  const apply = (maps: PriceMaps) => {
    for (const key of priceKeys) {
      const text = writeMap(key, maps[key])
      if (text !== textIn(props, key)) edit(key, text)
    }
  }
  return (
    <TwoWaySection
      section={props}
      views={[
        { id: 'json', label: t('ratio.json') },
        { id: 'own', label: t('ratio.table') },
      ]}
      isShown={key => key !== 'DefaultModelRatio'}
      rows={8}
      actions={
        <>
          {/* A text that was edited back to what it was would be an edit again. */}
          <ComparePrices dirty={props.changed.length > 0} onTaken={() => discard(props.keys)} />
          <ResetRatios onReset={() => discard(['ModelRatio'])} />
        </>
      }
    >
      <PriceTable
        texts={forEveryKey(key => textIn(props, key))}
        onChange={apply}
        search={search}
        onSearch={setSearch}
        wanted={wanted}
        onSettled={settle}
      />
    </TwoWaySection>
  )
}
