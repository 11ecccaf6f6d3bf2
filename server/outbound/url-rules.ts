import { AppError } from '../errors.ts'
import { isAddressAllowed, type Policy, parseV4, parseV6 } from './address-rules.ts'

export type Transport = 'http' | 'socket'

const schemes: Record<Transport, readonly string[]> = { http: ['http:', 'https:'], socket: ['ws:', 'wss:'] }
const userPorts = new Set(['', '80', '443', '8080', '8443'])

/** Names whose address is decided by where the asker stands, so a user may not ask us to go there. */
const localSuffixes = ['localhost', 'local', 'internal', 'lan', 'home.arpa']
const metadataNames = new Set(['metadata.google.internal', 'metadata.goog'])

/** No server takes a longer one; and what was read is kept for a while, so that many of them would fill the memory. */
const LONGEST_URL = 16 * 1024

export function parseUrl(url: string | URL): URL {
  if (url instanceof URL) return url
  const parsed = url.length > LONGEST_URL ? null : URL.parse(url)
  if (!parsed) throw new AppError('outbound.bad-url')
  return parsed
}

/**
 * Everything that can be said of a URL without resolving its name. The URL parser has already turned every
 * spelling of an IPv4 address (decimal, octal, hex, short, full-width) into four plain octets.
 * Returns the host as a resolver or a certificate spells it.
 */
export function checkUrl(url: URL, policy: Policy, transport: Transport, allowPrivate: boolean): string {
  if (!schemes[transport].includes(url.protocol)) throw new AppError('outbound.scheme')
  if (url.port === '0') throw new AppError('outbound.port')
  if (policy === 'user') {
    if (!userPorts.has(url.port)) throw new AppError('outbound.port')
    if (hasUserinfo(url)) throw new AppError('outbound.bad-url')
  }
  const host = plainHost(url)
  if (host === '') throw new AppError('outbound.bad-url')
  const allowed = isLiteral(host)
    ? isAddressAllowed(host, policy, allowPrivate)
    : isNameAllowed(host, url.hostname, policy)
  if (!allowed) throw new AppError('outbound.address')
  return host
}

export function hasUserinfo(url: URL): boolean {
  return url.username !== '' || url.password !== ''
}

/** No brackets, no closing dot. */
function plainHost(url: URL): string {
  const { hostname } = url
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}

export function isLiteral(host: string): boolean {
  return parseV4(host) !== null || parseV6(host) !== null
}

function isNameAllowed(host: string, written: string, policy: Policy): boolean {
  if (metadataNames.has(host) || host.endsWith('.')) return false
  if (policy === 'operator') return true
  if (written.endsWith('.') || !host.includes('.')) return false
  return !localSuffixes.some(suffix => host === suffix || host.endsWith(`.${suffix}`))
}
