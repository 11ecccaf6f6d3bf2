import { ArrowDown, ArrowUp } from 'lucide-react'
import { useMemo } from 'react'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import type { Column } from './column.ts'
import styles from './data-table.module.css'
import controls from './row-controls.module.css'
import { Tick } from './tick.tsx'
import type { RowId, Selection } from './use-selection.ts'

interface TableHeadProps<Row> {
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  idsOf(row: Row): readonly RowId[]
  selection: Selection | undefined
  /** 0 when rows have none. */
  actionsWidth: number
}

export function TableHead<Row>({ columns, rows, idsOf, selection, actionsWidth }: TableHeadProps<Row>) {
  const t = useText(shellText)
  const canSelect = selection !== undefined
  const chosen = selection?.ids
  // Scrolling draws the head anew; thousands of rows are not gone through for that.
  const ids = useMemo(() => (canSelect ? rows.flatMap(row => idsOf(row)) : []), [canSelect, rows, idsOf])
  const ticked = useMemo(() => ids.filter(id => chosen?.has(id)).length, [ids, chosen])
  return (
    <>
      <colgroup>
        {selection && <col style={{ width: 40 }} />}
        {columns.map(({ id, width }) => (
          <col key={id} style={width === undefined ? undefined : { width }} />
        ))}
        {actionsWidth > 0 && <col style={{ width: actionsWidth }} />}
      </colgroup>
      <thead role="rowgroup">
        <tr role="row" aria-rowindex={1}>
          {selection && (
            <th role="columnheader" scope="col" className={styles.tickCell}>
              <Tick
                label={t('table.selectAll')}
                checked={ticked === 0 ? false : ticked === ids.length ? true : 'some'}
                onChange={() => selection.set(ids, ticked < ids.length)}
              />
            </th>
          )}
          {columns.map(({ id, header, align, heading, sort }) => (
            <th
              key={id}
              role="columnheader"
              scope="col"
              className={heading ? styles.headingCell : undefined}
              data-align={align}
              aria-sort={sort?.order}
            >
              {sort ? (
                <button type="button" className={controls.sort} onClick={sort.act}>
                  {header}
                  {sort.order === 'ascending' && <ArrowUp size={12} aria-hidden />}
                  {sort.order === 'descending' && <ArrowDown size={12} aria-hidden />}
                </button>
              ) : (
                header
              )}
            </th>
          ))}
          {actionsWidth > 0 && (
            <th role="columnheader" scope="col" className={styles.actionsCell}>
              <span className={styles.unseen}>{t('table.actions')}</span>
            </th>
          )}
        </tr>
      </thead>
    </>
  )
}
