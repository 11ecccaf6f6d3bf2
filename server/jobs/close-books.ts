import { monthToClose } from '../ledger/closing/closed-months.ts'
import { log } from '../log.ts'
import type { App } from '../services/app.ts'
import type { BackgroundWork } from '../services/background-work.ts'
import { CLOSE_BOOKS, closeBooks } from '../services/books/close-books.ts'

const LOOK_MS = 60_000
/** Seconds; what failed for want of room on a disk fails again at once. */
const NOT_AGAIN_WITHIN = 600

/**
 * Closes old months of the books, if the operator wants that; of all processes one does. That is for good: `app` has a
 * clock that never runs ahead.
 */
export function startClosingBooks(app: App, work: BackgroundWork, dataDir: string): () => void {
  const timer = setInterval(() => {
    closeWhenDue(app, work, dataDir).catch(error => log.warn('the books could not be closed', { error }))
  }, LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

async function closeWhenDue(app: App, work: BackgroundWork, dataDir: string): Promise<void> {
  const months = Number(app.settings.get('BooksMonths'))
  if (months === 0 || (await monthToClose(app.store, app.now(), months)) === undefined) return
  const closing = { ...app, dataDir }
  await work.start(CLOSE_BOOKS, progress => closeBooks(closing, progress), app.now() - NOT_AGAIN_WITHIN)
}
