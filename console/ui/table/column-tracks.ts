/** Columns without a width get at least this much; a narrower window scrolls. */
const FLEXIBLE = 148
const TICK = 40
/** Past this they grow no more than the others: from a name to what is said of it no eye should have to jump. */
const AT_EASE = 360

interface Widths {
  readonly columns: readonly { readonly width?: number }[]
  readonly canSelect: boolean
  /** 0 when rows have none. */
  readonly actionsWidth: number
}

export function leastWidth({ columns, canSelect, actionsWidth }: Widths): number {
  const sum = columns.reduce((all, { width = FLEXIBLE }) => all + width, 0)
  return sum + (canSelect ? TICK : 0) + actionsWidth
}

/** As they are where there is more room than that. */
export function atEase<C extends { readonly width?: number }>(columns: readonly C[]): readonly C[] {
  return columns.map(column => (column.width === undefined ? { ...column, width: AT_EASE } : column))
}

/** Of the columns that can be spared, in that order, those for which there is no room. */
export function columnsWithoutRoom(
  columns: readonly { readonly id: string; readonly width?: number }[],
  spared: readonly string[],
  room: number,
): string[] {
  const hidden: string[] = []
  const shown = () => columns.filter(({ id }) => !hidden.includes(id))
  for (const id of spared) {
    if (leastWidth({ columns: shown(), canSelect: false, actionsWidth: 0 }) <= room) break
    hidden.push(id)
  }
  return hidden
}

/** The widths that a table gives its columns, as tracks of a grid. */
export function columnTracks({ columns, canSelect, actionsWidth }: Widths): string {
  const isFlexible = columns.some(({ width }) => width === undefined)
  const tracks = columns.map(({ width }) => {
    if (width === undefined) return `minmax(${FLEXIBLE}px, 1fr)`
    return isFlexible ? `${width}px` : `minmax(${width}px, ${width}fr)`
  })
  return [
    ...(canSelect ? [`${TICK}px`] : []),
    ...tracks,
    ...(actionsWidth > 0 ? [`${actionsWidth}px`] : []),
  ].join(' ')
}
