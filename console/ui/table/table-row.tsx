import { ChevronDown } from 'lucide-react'
import { memo, type ReactElement } from 'react'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import type { Column, RowAction } from './column.ts'
import styles from './data-table.module.css'
import { MoreButton } from './more-button.tsx'
import controls from './row-controls.module.css'
import { Tick } from './tick.tsx'
import type { RowParts } from './use-row-parts.ts'
import type { RowId } from './use-selection.ts'

interface TableRowProps<Row> {
  id: RowId
  row: Row
  index: number
  /** Where it stands, whatever its place in the document; for rows that are recycled. */
  order: number | undefined
  columns: readonly Column<Row>[]
  parts: RowParts<Row>
  active: boolean
  expanded: boolean
  selected: boolean | 'some'
  /** All that can be done with it is behind the menu. */
  folded: boolean
  /** It is a card, some of which is behind a press. */
  opensCard: boolean
  measure: ((element: HTMLElement | null) => void) | undefined
}

function Row<R>(props: TableRowProps<R>) {
  const { id: rowId, row, index, order, columns, parts, active, expanded, selected } = props
  const { folded, opensCard, measure } = props
  const t = useText(shellText)
  const name = parts.name(row)
  const span = columns.length + (parts.canSelect ? 1 : 0) + (parts.canAct ? 1 : 0)
  const headingId = columns.find(({ heading }) => heading)?.id ?? columns[0]?.id
  const last = columns.findIndex(({ reachesEnd }) => reachesEnd?.(row))
  const shown = last < 0 ? columns : columns.slice(0, last + 1)
  const opener = (parts.canExpand || opensCard) && (
    <button
      type="button"
      className={controls.expand}
      aria-expanded={expanded}
      aria-label={t('table.expand', { name })}
      onClick={() => parts.toggle(row)}
    />
  )
  // Before the heading; in a card that is only opened, beside what can be done with it.
  const opensBelow = opensCard && !parts.canExpand && parts.canAct
  return (
    <tbody
      ref={measure}
      data-index={measure && index}
      className={styles.body}
      style={order === undefined ? undefined : { order }}
    >
      <tr
        role="row"
        aria-rowindex={index + 2}
        className={styles.row}
        data-row={index}
        data-muted={parts.muted(row) || undefined}
        data-nested={parts.nested(row) || undefined}
        data-selected={selected !== false || undefined}
        data-expands={parts.canExpand || opensCard || undefined}
        data-open={expanded || undefined}
        tabIndex={active ? 0 : -1}
      >
        {parts.canSelect && (
          <td role="cell" className={styles.tickCell} data-card="tick">
            <Tick label={t('table.select', { name })} checked={selected} onChange={() => parts.select(row)} />
          </td>
        )}
        {shown.map(({ id, header, align, heading, wideOnly, inCard, stateful, nameIn, cell }, place) => (
          <td
            key={stateful ? `${id} ${rowId}` : id}
            role="cell"
            className={heading ? styles.headingCell : undefined}
            {...(place === last
              ? reachOver(columns.length - last)
              : { 'data-label': nameIn?.(row) ?? header })}
            data-align={align}
            data-wide={wideOnly}
            data-card={heading ? 'heading' : inCard}
          >
            {id === headingId && opener && !opensBelow ? (
              <span className={styles.expandable}>
                {opener}
                <span className={styles.expandableContent}>{cell(row)}</span>
              </span>
            ) : (
              cell(row)
            )}
          </td>
        ))}
        {parts.canAct && (
          <td role="cell" className={styles.actionsCell} data-card="actions">
            {opensBelow && opener}
            <Actions row={rowId} name={name} actions={parts.actions(row)} folded={folded} />
          </td>
        )}
      </tr>
      {expanded && parts.canExpand && (
        <tr key={rowId} role="row" className={styles.detail}>
          <td role="cell" colSpan={span}>
            <div className={styles.detailRoom}>{parts.detail(row)}</div>
          </td>
        </tr>
      )}
    </tbody>
  )
}

/** In a table, and in the grid that very many rows are laid out by; in a card it is a line without a name. */
function reachOver(count: number) {
  return { colSpan: count, style: { gridColumnEnd: `span ${count}` } }
}

export const TableRow = memo(Row) as <R>(props: TableRowProps<R>) => ReactElement

interface ActionsProps {
  row: RowId
  name: string
  actions: readonly RowAction[]
  folded: boolean
}

function Actions({ row, name, actions, folded }: ActionsProps) {
  const t = useText(shellText)
  if (folded && actions.length > 0)
    return <MoreButton row={row} label={t('table.more', { name })} actions={foldAll(actions)} />
  const hidden = actions.filter(({ inline }) => !inline)
  return (
    <span className={controls.actions}>
      {actions
        .filter(({ inline }) => inline)
        .map(({ id, label, otherLabel, disabled, menu, act }) => {
          const full = t('table.actionOn', { action: label, name })
          const button = (
            <button
              key={id}
              type="button"
              className={controls.action}
              data-other={otherLabel}
              aria-label={full}
              disabled={disabled}
              onClick={act}
            >
              {label}
            </button>
          )
          if (!menu) return button
          return (
            <span key={id} className={controls.split}>
              {act && button}
              <MoreButton
                row={row}
                label={act ? t('table.choices', { action: label, name }) : full}
                actions={menu}
              >
                {act ? '' : label}
                <ChevronDown size={12} aria-hidden />
              </MoreButton>
            </span>
          )
        })}
      {hidden.length > 0 && <MoreButton row={row} label={t('table.more', { name })} actions={hidden} />}
    </span>
  )
}

/** One that acts and has a list beside it becomes two. */
function foldAll(actions: readonly RowAction[]): RowAction[] {
  return actions.flatMap((action): RowAction[] => {
    const { menu, act, ...rest } = action
    if (!menu) return [action]
    const list = { ...rest, id: `${rest.id}-list`, label: `${rest.label}…`, menu }
    return act ? [{ ...rest, act }, list] : [list]
  })
}
