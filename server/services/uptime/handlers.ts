import type { UptimePage } from '../../../contract/panels.ts'
import type { App } from '../app.ts'
import type { Handlers } from '../call.ts'
import { keptFresh } from '../kept-fresh.ts'
import { readPage } from './read-page.ts'

/** Anyone may ask; the pages are asked this often at most. A state of five minutes ago is nobody's state. */
const FRESH = { freshMs: 30_000, oldestMs: 300_000 }

export function uptimeHandlers(app: App): Handlers<'uptimeStatus'> {
  const readAll = (pages: readonly UptimePage[]) =>
    keptFresh(FRESH, () => Promise.all(pages.map(page => readPage(app, page))))
  let known: { readonly written: string; readonly read: ReturnType<typeof readAll> } | undefined
  return {
    uptimeStatus() {
      const { UptimeKumaEnabled, UptimeKumaGroups: pages } = app.settings.all
      if (!UptimeKumaEnabled || pages.length === 0) return []
      // Settings are read anew when any of them changes: what counts is what these say.
      const written = JSON.stringify(pages)
      if (known?.written !== written) known = { written, read: readAll(pages) }
      return known.read()
    },
  }
}
