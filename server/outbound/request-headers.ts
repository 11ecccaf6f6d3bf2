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
  const headers: Record<string, string> = {}
  if (input && Symbol.iterator in input) for (const [name, value] of input) take(headers, name, value)
  else for (const name in input) take(headers, name, input[name])
  // Asking for no compression keeps the relay's path free of it; a caller may ask for it by name.
  headers['accept-encoding'] ??= 'identity'
  headers['user-agent'] ??= 'Tollgate'
  return headers
}

function take(headers: Record<string, string>, name: string, value: string | undefined): void {
  if (value === undefined) return
  if (!namePattern.test(name) || !valuePattern.test(value)) throw new AppError('outbound.header')
  const lower = name.toLowerCase()
  if (connectionHeaders.has(lower)) return
  headers[lower] = Object.hasOwn(headers, lower) ? `${headers[lower]}, ${value}` : value
}

const credentialPattern = /auth|cookie|credential|key|passw|secret|session|signature|token/

/** Headers that must not reach another origin: any that sounds like a credential, and those the caller names. */
export function isCredentialHeader(lowerName: string, secrets: readonly string[]): boolean {
  return credentialPattern.test(lowerName) || secrets.some(secret => secret.toLowerCase() === lowerName)
}
