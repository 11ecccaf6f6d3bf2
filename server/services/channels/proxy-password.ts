import { hideInAddress, restoreCredentials } from '../../outbound/credentials.ts'
import { parseObject } from './read-fields.ts'
import { proxyOf } from './upstream-request.ts'

// The proxy of a channel is a member of its settings, which are a JSON object in text.

/** The settings as they are shown: of the proxy all but its password. */
export function hideProxyPassword(setting: string): string {
  return changeProxy(setting, hideInAddress) ?? setting
}

/** The settings as they are meant: those that were shown are sent back. Undefined where nobody knows the password. */
export function restoreProxyPassword(given: string, known: string | null): string | undefined {
  let isKnown = true
  const changed = changeProxy(given, proxy => {
    const restored = restoreCredentials(proxy, proxyOf(known) ?? null)
    if (restored === undefined) isKnown = false
    return restored ?? proxy
  })
  if (!isKnown) return undefined
  // What says the same is the same, however it is laid out: nothing has changed.
  return known !== null && changed !== undefined && isAlike(changed, known) ? known : (changed ?? given)
}

/** Undefined where there is nothing to change. */
function changeProxy(setting: string, change: (proxy: string) => string): string | undefined {
  const proxy = proxyOf(setting)
  const next = proxy === undefined ? undefined : change(proxy)
  return next === proxy ? undefined : JSON.stringify({ ...parseObject(setting), proxy: next }, null, 2)
}

function isAlike(one: string, other: string): boolean {
  return JSON.stringify(parseObject(one)) === JSON.stringify(parseObject(other))
}
