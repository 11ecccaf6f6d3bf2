// Runs before the first paint so that no page flashes in the wrong theme, language or name, and asks for what the first
// one waits for. A file of its own, unbundled, because the content security policy allows no inline script.
;(() => {
  const read = key => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const root = document.documentElement
  const mode = read('theme-mode')
  const dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.dataset.mantineColorScheme = dark ? 'dark' : 'light'
  document.querySelector('meta[name="theme-color"]').content = dark ? '#15181e' : '#ffffff'

  const asked = [read('language'), ...navigator.languages].find(tag => /^(zh|en)\b/i.test(tag ?? ''))
  root.lang = asked?.toLowerCase().startsWith('en') ? 'en' : 'zh-CN'

  const name = read('system_name')
  if (name) document.title = name

  // Whoever comes for the first time sees nothing until this is known: it is asked for while the scripts still come.
  if (read('status') !== null) return
  const headers = {
    'New-API-User': '-1',
    'Accept-Language': root.lang === 'en' ? 'en' : 'zh',
    'Cache-Control': 'no-store',
  }
  const status = fetch('/api/status', { headers, signal: AbortSignal.timeout(60_000) })
  // Whoever takes it hears of a failure; until then nobody does.
  status.catch(() => {})
  globalThis.firstStatus = status
})()
