import { AppError } from '../errors.ts'

export type HeaderInput =
  | Headers
  | Readonly<Record<string, string | undefined>>
  | Iterable<readonly [string, string]>

/** Headers that belong to one connection, or that only the client itself can write truthfully. */
const connectionHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const valuePattern = /^[\t\x20-\x7e\x80-\xff]*$/

/** The caller's headers in lower case, without those of the caller's own connection. */
export function cleanHeaders(input: HeaderInput | undefined): Record<string, string> {
  // Asking for no compression keeps the relay's path free of it; a caller may ask for it by name.
  const headers: Record<string, string> = { 'accept-encoding': 'identity', 'user-agent': 'Tollgate' }
  if (!input) return headers
  const given = new Set<string>()
  for (const [name, value] of Symbol.iterator in input ? input : Object.entries(input)) {
    if (value === undefined) continue
    if (!namePattern.test(name) || !valuePattern.test(value)) throw new AppError('outbound.header')
    const lower = name.toLowerCase()
    if (connectionHeaders.has(lower)) continue
    headers[lower] = given.has(lower) ? `${headers[lower]}, ${value}` : value
    given.add(lower)
  }
  return headers
}

const credentialPattern = /auth|cookie|credential|key|secret|session|signature|token/

/** Headers that must not reach another origin: any that sounds like a credential, and those the caller names. */
export function isCredentialHeader(lowerName: string, secrets: readonly string[]): boolean {
  return credentialPattern.test(lowerName) || secrets.some(secret => secret.toLowerCase() === lowerName)
}
