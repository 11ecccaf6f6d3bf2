import type { Destination } from '../define.ts'
import { modelOf } from './models.ts'
import { readKey } from './read-key.ts'

/** Its WebSockets, and where plain requests go. */
export const SOCKETS = 'https://spark-api.xf-yun.com'
const OPEN = 'https://spark-api-open.xf-yun.com'

/** A key that can sign does, where the model has a socket. */
export function usesSocket(to: Destination): boolean {
  return readKey(to.key).kind === 'triple' && modelOf(to) !== undefined
}

export function socketPath(to: Destination): string {
  const path = modelOf(to)?.path ?? ''
  const { baseUrl } = to
  if (baseUrl.startsWith(OPEN)) return SOCKETS + path
  return baseUrl.startsWith('ws') ? baseUrl.replace(/^ws/, 'http') + path : path
}

/** Models that think have an address of their own. */
export function openPath({ baseUrl, model }: Destination): string {
  const path = `${/^(x1|spark-x)/i.test(model) ? '/v2' : '/v1'}/chat/completions`
  const house = baseUrl.replace(/^ws/, 'http')
  if (house === SOCKETS) return OPEN + path
  return house === baseUrl ? path : house + path
}
