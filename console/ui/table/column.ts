import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly id: string
  readonly header: string
  /**
   * Plain elements only: a component library's parts in rows cost whole frames while scrolling. Two lines stand in
   * an element with `data-lines`; where there is no room for both, a picture in the second is left out.
   */
  cell(row: Row): ReactNode
  /** Pixels. The one column without a width takes what is left. */
  readonly width?: number
  /** Numbers stand at the end, so that their digits line up. */
  readonly align?: 'end'
  /** What makes a row recognisable: the heading of its card on phones, and not to be hidden. */
  readonly heading?: true
  /** Left out of the cards on phones. */
  readonly wideOnly?: true
  /**
   * Where it stands in a card: at the end of the heading's line, as one of a few figures side by side, in a line
   * that needs no names, or behind a press. What does not say has a line with its name.
   */
  readonly inCard?: 'beside' | 'figure' | 'plain' | 'behind'
  /** What it is called in the card of a row that says something else there than its header. */
  nameIn?(row: Row): string | undefined
  /** Whether in this row it has the room of all columns after it, which say nothing there. */
  reachesEnd?(row: Row): boolean
  /** Its cells keep something of their own, as a field that is typed in does: they are never lent to other rows. */
  readonly stateful?: true
  /** Given where a press of the header sorts by it; `order` where it does now. */
  readonly sort?: { readonly order?: 'ascending' | 'descending' | undefined; act(): void }
}

/** What can be done with a row. */
export interface RowAction {
  readonly id: string
  readonly label: string
  /** What it is called in other rows: it has the room of both, so that its neighbours stand under each other. */
  readonly otherLabel?: string
  /** Stands in the row itself; at most two. The others are behind the menu. */
  readonly inline?: boolean
  readonly destructive?: boolean
  readonly disabled?: boolean
  /** Opens a list of these; one that acts too has the list beside it. A long list is made when it is opened. */
  readonly menu?: readonly RowAction[] | (() => readonly RowAction[])
  act?(): void
}
