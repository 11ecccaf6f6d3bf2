import { Button } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { Suspense, useMemo, useState } from 'react'
import { optionEndpoints } from '../../../../contract/options.ts'
import { operationSettings } from '../../../../contract/settings/operation.ts'
import { call } from '../../../api.ts'
import { useLanguage, useText } from '../../../text.ts'
import { Callout } from '../../../ui/content/callout.tsx'
import { Pager } from '../../../ui/lists/pager.tsx'
import { SearchBox } from '../../../ui/lists/search-box.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import type { RowAction } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { Empty } from '../../../ui/table/empty.tsx'
import { operationText } from './catalogue.ts'
import styles from './operation.module.css'
import { usePriceColumns } from './price-columns.tsx'
import {
  dropRow,
  forEveryKey,
  type ListedRow,
  listRows,
  namesIn,
  type PriceMaps,
  type PriceTexts,
  putRow,
  readMaps,
  restoreRow,
  rowOf,
  withBuiltIn,
} from './price-rows.ts'
import { UnpricedModels } from './unpriced-models.tsx'

const PriceDialog = lazyPart(() => import('./price-dialog.tsx'))
const PAGE_SIZE = 10
const EMPTY: PriceMaps = forEveryKey(() => ({}))

const builtInQuery = queryOptions({
  queryKey: ['built-in-prices'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }): Promise<PriceMaps> => {
    const maps = await call(optionEndpoints.builtInPrices, { signal })
    return forEveryKey(key => maps[key] ?? {})
  },
})

interface PriceTableProps {
  texts: PriceTexts
  onChange(maps: PriceMaps): void
  search: string
  onSearch(text: string): void
  /** The model whose price someone came to set, until that is done. */
  wanted: string | undefined
  onSettled(): void
}

/** Every model that has a price, the operator's before the built-in ones. */
export default function PriceTable(props: PriceTableProps) {
  const { texts, onChange, search, onSearch, wanted, onSettled } = props
  const t = useText(operationText)
  const language = useLanguage()
  const { data: builtIn, error, refetch } = useQuery(builtInQuery)
  /** The name of the model in hand; blank for a new one. */
  const [chosen, setEditing] = useState<string>()
  const editing = chosen ?? wanted
  const endEditing = () => {
    setEditing(undefined)
    onSettled()
  }
  const { maps, inForce, rows } = usePriceRows(texts, builtIn, search)
  const pages = usePages(rows)
  const columns = usePriceColumns()
  if (typeof maps === 'string')
    return (
      <div className={styles.block}>
        <Callout tone="warning">
          {t('ratio.broken', { name: operationSettings[maps].label[language] })}
        </Callout>
      </div>
    )

  const actionsOf = ({ name, origin }: ListedRow): RowAction[] => {
    const action = (id: string, label: string, act: () => void) => ({ id, label, inline: true, act })
    const edit = action('edit', t('edit'), () => setEditing(name))
    if (origin === 'own') return [edit, action('delete', t('delete'), () => onChange(dropRow(maps, name)))]
    if (origin !== 'changed' || !builtIn) return [edit]
    return [edit, action('restore', t('row.restore'), () => onChange(restoreRow(maps, builtIn, name)))]
  }
  const edited = editing === undefined ? undefined : rowOf(inForce, editing)
  return (
    <div className={styles.block}>
      {builtIn && <UnpricedModels priced={namesIn(inForce)} setPrice={setEditing} />}
      <Toolbar
        search={search}
        onSearch={text => {
          onSearch(text)
          pages.turnTo(1)
        }}
        add={() => setEditing('')}
      />
      <DataTable
        label={t('ratio.table')}
        columns={columns}
        rows={pages.shown}
        total={pages.total}
        rowId={({ name }) => name}
        rowName={({ name }) => name}
        error={error}
        retry={refetch}
        actions={actionsOf}
        onOpen={({ name }) => setEditing(name)}
        empty={<Empty title={t('ratio.nothing')} />}
      />
      <Pager
        page={pages.page}
        pageSize={pages.pageSize}
        total={pages.total}
        onPage={pages.turnTo}
        onPageSize={pages.resize}
      />
      {editing !== undefined && builtIn && (
        <Suspense>
          <PriceDialog
            key={editing}
            row={edited}
            suggested={editing}
            taken={new Set([...namesIn(inForce)].filter(name => name !== editing))}
            onClose={endEditing}
            onApply={row => {
              onChange(putRow(maps, row, edited ? edited.name : row.name))
              endEditing()
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

/** Every price as it is written here, as it is in force, and the rows that are looked for. */
function usePriceRows(texts: PriceTexts, builtIn: PriceMaps | undefined, search: string) {
  // Made anew with every keystroke anywhere in the section; what it says is not.
  const text = JSON.stringify(texts)
  const maps = useMemo(() => readMaps(JSON.parse(text) as PriceTexts), [text])
  const readable = typeof maps === 'string' ? EMPTY : maps
  const inForce = useMemo(() => (builtIn ? withBuiltIn(readable, builtIn) : EMPTY), [readable, builtIn])
  const rows = useMemo(
    () => (builtIn ? listRows(inForce, builtIn, search) : undefined),
    [inForce, builtIn, search],
  )
  return { maps, inForce, rows }
}

/** All of them are here; so many are shown at a time. */
function usePages(rows: readonly ListedRow[] | undefined) {
  const [wanted, turnTo] = useState(1)
  const [pageSize, setPageSize] = useState(PAGE_SIZE)
  const total = rows?.length ?? 0
  const page = Math.min(wanted, Math.max(1, Math.ceil(total / pageSize)))
  const resize = (size: number) => {
    setPageSize(size)
    turnTo(1)
  }
  return { page, pageSize, total, shown: rows?.slice((page - 1) * pageSize, page * pageSize), turnTo, resize }
}

interface ToolbarProps {
  search: string
  onSearch(text: string): void
  add(): void
}

function Toolbar({ search, onSearch, add }: ToolbarProps) {
  const t = useText(operationText)
  return (
    <div className={styles.toolbar}>
      <SearchBox label={t('ratio.search')} value={search} onSearch={onSearch} />
      <Button size="xs" variant="default" leftSection={<Plus size={14} aria-hidden />} onClick={add}>
        {t('ratio.add')}
      </Button>
    </div>
  )
}
