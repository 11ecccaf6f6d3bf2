const key = 'reloaded-at'
const once = 60_000

/**
 * A page that was open while the server was upgraded asks for files that are gone. A reload gets the new page;
 * a second failure within a minute has another cause and is left to show itself. So is one where nobody answers:
 * a reload would then lose the page that is still there, and what is being typed in it.
 */
export function reloadAfterUpgrade(): void {
  addEventListener('vite:preloadError', () => {
    const last = Number(sessionStorage.getItem(key) ?? 0)
    if (Date.now() - last < once) return
    isAnswered()
      .then(answered => {
        if (!answered) return
        sessionStorage.setItem(key, String(Date.now()))
        location.reload()
      })
      .catch(() => {})
  })
}

async function isAnswered(): Promise<boolean> {
  const { ok } = await fetch('/', { cache: 'no-store' })
  return ok
}
