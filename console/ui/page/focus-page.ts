/**
 * Where whoever uses keys goes on when what had the focus is gone: the row they were at, or else the page. What
 * has the focus, or lies over the page, is left alone.
 */
export function focusPage(): void {
  if (document.activeElement !== document.body || document.querySelector('[role=dialog]')) return
  const row = document.querySelector<HTMLElement>('main [role=row][tabindex="0"]')
  const place = row ?? document.querySelector('main')
  place?.focus({ preventScroll: true })
}
