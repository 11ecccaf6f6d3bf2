/** What a spreadsheet would take for the beginning of a formula, in either width. */
const formula = /^[\s\u200b\ufeff]*[=+\-@＝＋－＠|]|^[\t\r\n]/

/** One line of RFC 4180. Text that a spreadsheet would run is made text by an apostrophe. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const safe = formula.test(value) ? `'${value}` : value
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
