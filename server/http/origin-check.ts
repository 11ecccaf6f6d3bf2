import { AppError } from '../errors.ts'
import { log } from '../log.ts'
import type { Exchange } from './exchange.ts'

const HINT_EVERY_MS = 60_000
let hintedAt = Number.NEGATIVE_INFINITY

/**
 * Refuses a changing call that a browser makes from another site's page. Browsers always say where such a
 * call comes from; a client that says nothing is no browser, and carries no one else's cookie.
 */
export function refuseForeignOrigin(exchange: Exchange, serverAddress: string): void {
  const { headers } = exchange.request
  const site = headers.get('sec-fetch-site')
  // No page can make this up, and it is true also behind a proxy that calls us by another name.
  if (site === 'same-origin') return
  const origin = headers.get('origin')
  if (origin === null) {
    if (site !== null && site !== 'none') throw new AppError('auth.foreign-origin')
  } else if (!isOurs(origin, exchange.host, serverAddress)) {
    if (site === null) hint(origin, exchange.host)
    throw new AppError('auth.foreign-origin')
  }
}

/** Most often it is a proxy that does not say by which name it was called; who runs it cannot see that. */
function hint(origin: string, host: string): void {
  if (performance.now() - hintedAt < HINT_EVERY_MS) return
  hintedAt = performance.now()
  log.warn("a call was refused as another site's; is this page ours, its proxy has to pass on Host", {
    origin: origin.slice(0, 200),
    host: host.slice(0, 200),
  })
}

function isOurs(origin: string, host: string, serverAddress: string): boolean {
  if (!URL.canParse(origin)) return false
  const { host: from } = new URL(origin)
  if (from === host.toLowerCase()) return true
  return serverAddress !== '' && from === new URL(serverAddress).host
}
