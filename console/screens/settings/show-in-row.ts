/** A ref of the current one in a row that scrolls sideways, as rows of tabs do on a phone: it is brought to the middle. */
export function showInRow(current: HTMLElement | null): void {
  const row = current?.parentElement
  if (!row) return
  const ahead = current.getBoundingClientRect().left - row.getBoundingClientRect().left
  row.scrollLeft += ahead - (row.clientWidth - current.offsetWidth) / 2
}
