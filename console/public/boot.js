// Runs before the first paint so that no page flashes in the wrong theme, language or name. A file of its
// own, unbundled, because the content security policy allows no inline script.
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
})()
