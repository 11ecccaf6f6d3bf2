const key = 'reloaded-at'
const once = 60_000

/**
 * A page that was open while the server was upgraded asks for files that are gone. A reload gets the new page;
 * a second failure within a minute has another cause and is left to show itself.
 */
export function reloadAfterUpgrade(): void {
  addEventListener('vite:preloadError', event => {
    // Offline, a reload would lose the page that is still there.
    if (!navigator.onLine) return
    const last = Number(sessionStorage.getItem(key) ?? 0)
    if (Date.now() - last < once) return
    sessionStorage.setItem(key, String(Date.now()))
    event.preventDefault()
    location.reload()
  })
}
