/** What a spreadsheet would take for the beginning of a formula, in either width. */
const formula = /^[\s\u200b\ufeff]*[=+\-@＝＋－＠|]|^[\t\r\n]/

/** What needs neither quotes nor an apostrophe, as most cells do. */
const harmless = /^[^\s\u200b\ufeff=+\-@＝＋－＠|",](?:[^",\r\n]*[^",\s])?$/

/** One line of RFC 4180. Text that a spreadsheet would run is made text by an apostrophe. */
export function csvLine(cells: readonly (string | number)[]): string {
  let line = ''
  for (const cell of cells) line += `,${csvCell(cell)}`
  return `${line.slice(1)}\r\n`
}

function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  if (value === '' || harmless.test(value)) return value
  const safe = formula.test(value) ? `'${value}` : value
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
