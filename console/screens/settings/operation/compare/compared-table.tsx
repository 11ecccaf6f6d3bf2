import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { OutputOf } from '../../../../../contract/endpoint.ts'
import type { priceSourceEndpoints } from '../../../../../contract/price-sources.ts'
import { formatCount } from '../../../../format.ts'
import { useText } from '../../../../text.ts'
import { SearchBox } from '../../../../ui/lists/search-box.tsx'
import { DataTable } from '../../../../ui/table/data-table.tsx'
import { Empty } from '../../../../ui/table/empty.tsx'
import type { Selection } from '../../../../ui/table/use-selection.ts'
import { operationText } from '../catalogue.ts'
import operationStyles from '../operation.module.css'
import styles from './compare.module.css'
import { useCompareColumns } from './compare-columns.tsx'
import { findCompared } from './compared-price.ts'

interface ComparedTableProps {
  comparison: OutputOf<(typeof priceSourceEndpoints)['comparePrices']>
  selection: Selection
}

/** The models whose prices differ: those that channels serve, and all of them on request. */
export function ComparedTable({ comparison, selection }: ComparedTableProps) {
  const t = useText(operationText)
  const { models, left_out } = comparison
  const [all, setAll] = useState(false)
  const [search, setSearch] = useState('')
  const rows = useMemo(() => findCompared(models, { all, search }), [models, all, search])
  const columns = useCompareColumns()
  const others = models.some(({ served }) => !served) && (
    <Button size="xs" variant="default" onClick={() => setAll(!all)}>
      {all ? t('showFewer') : t('showAll', { count: formatCount(models.length) })}
    </Button>
  )
  const isNone = rows.length === 0 && search === ''
  return (
    <>
      {!isNone && (
        <div className={operationStyles.toolbar}>
          <SearchBox label={t('compare.search')} value={search} onSearch={setSearch} onType={setSearch} />
          {others}
        </div>
      )}
      <DataTable
        label={t('compare.action')}
        columns={columns}
        rows={rows}
        rowId={({ model }) => model}
        rowName={({ model }) => model}
        selection={selection}
        empty={<Empty title={t(isNone ? 'compare.same' : 'ratio.nothing')} actions={isNone && others} />}
      />
      <div className={styles.help}>
        {rows.length > 0 && <p>{t('compare.legend')}</p>}
        {left_out > 0 && <p>{t('compare.leftOut', { count: formatCount(left_out) })}</p>}
      </div>
    </>
  )
}
