import { AppError } from '../errors.ts'
import type { Exchange } from './exchange.ts'

/**
 * Refuses a changing call that a browser makes from another site's page. Browsers always say where such a
 * call comes from; a client that says nothing is no browser, and carries no one else's cookie.
 */
export function refuseForeignOrigin(exchange: Exchange, serverAddress: string): void {
  const { headers } = exchange.request
  const origin = headers.get('origin')
  if (origin !== null) {
    if (!isOurs(origin, exchange.host, serverAddress)) throw new AppError('auth.foreign-origin')
    return
  }
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') throw new AppError('auth.foreign-origin')
}

function isOurs(origin: string, host: string, serverAddress: string): boolean {
  if (!URL.canParse(origin)) return false
  const { host: from } = new URL(origin)
  if (from === host.toLowerCase()) return true
  return serverAddress !== '' && from === new URL(serverAddress).host
}
