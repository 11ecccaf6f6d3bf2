import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { OutputOf } from '../../../../../contract/endpoint.ts'
import type { priceSourceEndpoints } from '../../../../../contract/price-sources.ts'
import { formatCount } from '../../../../format.ts'
import { useText } from '../../../../text.ts'
import { Pager } from '../../../../ui/pager.tsx'
import { SearchBox } from '../../../../ui/search-box.tsx'
import { DataTable } from '../../../../ui/table/data-table.tsx'
import { Empty } from '../../../../ui/table/empty.tsx'
import type { Selection } from '../../../../ui/table/use-selection.ts'
import { operationText } from '../catalogue.ts'
import operationStyles from '../operation.module.css'
import styles from './compare.module.css'
import { useCompareColumns } from './compare-columns.tsx'
import { findCompared } from './compared-price.ts'

const PAGE_SIZE = 10

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
  const [page, setPage] = useState(1)
  const [pageSize, setPageSize] = useState(PAGE_SIZE)
  const rows = useMemo(() => findCompared(models, { all, search }), [models, all, search])
  const columns = useCompareColumns()
  const current = Math.min(page, Math.max(1, Math.ceil(rows.length / pageSize)))
  const others = models.some(({ served }) => !served) && (
    <Button
      size="xs"
      variant="default"
      onClick={() => {
        setAll(!all)
        setPage(1)
      }}
    >
      {all ? t('showFewer') : t('showAll', { count: formatCount(models.length) })}
    </Button>
  )
  const isNone = rows.length === 0 && search === ''
  return (
    <>
      {!isNone && (
        <div className={operationStyles.toolbar}>
          <SearchBox
            label={t('ratio.search')}
            value={search}
            onSearch={text => {
              setSearch(text)
              setPage(1)
            }}
          />
          {others}
        </div>
      )}
      <DataTable
        label={t('compare.action')}
        columns={columns}
        rows={rows.slice((current - 1) * pageSize, current * pageSize)}
        total={rows.length}
        rowId={({ model }) => model}
        rowName={({ model }) => model}
        selection={selection}
        empty={<Empty title={t(isNone ? 'compare.same' : 'ratio.nothing')} actions={isNone && others} />}
      />
      <Pager
        page={current}
        pageSize={pageSize}
        total={rows.length}
        onPage={setPage}
        onPageSize={size => {
          setPageSize(size)
          setPage(1)
        }}
      />
      <div className={styles.help}>
        {rows.length > 0 && <p>{t('compare.legend')}</p>}
        {left_out > 0 && <p>{t('compare.leftOut', { count: formatCount(left_out) })}</p>}
      </div>
    </>
  )
}
