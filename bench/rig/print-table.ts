/** What a part of a rig saw: the first column names, the others are figures. */
export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly notes?: readonly string[]
}

export function formatTable({ title, columns, rows, notes = [] }: Table): string {
  const lines = [columns, ...rows]
  const widths = columns.map((_, at) => Math.max(...lines.map(line => (line[at] ?? '').length)))
  const formatted = lines.map(line =>
    widths
      .map((width, at) => (at === 0 ? (line[at] ?? '').padEnd(width) : (line[at] ?? '').padStart(width)))
      .join('  ')
      .trimEnd(),
  )
  return [title, ...formatted, ...notes.map(note => `* ${note}`)].join('\n')
}

export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = Number.NaN, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return (low + high) / 2
}

export function milliseconds(figure: number): string {
  return `${Math.round(figure).toLocaleString('en')} ms`
}
