/** Host names and addresses with an optional port: nothing that could move the path into another place. */
const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:\d{1,5})?$/i

export function isValidHost(host: string | null): host is string {
  return host !== null && host.length <= 255 && hostPattern.test(host)
}

/**
 * The path exactly as it was sent: not decoded, not collapsed. Every guard and the router judge this one
 * string, so they cannot disagree about what is being asked for.
 */
export function rawPath(url: string): string {
  // Who names no host leaves nothing else to begin with.
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0) return '/'
  const end = url.indexOf('?', start)
  const path = end < 0 ? url.slice(start) : url.slice(start, end)
  const hash = path.indexOf('#')
  return hash < 0 ? path : path.slice(0, hash)
}

export function searchOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}
