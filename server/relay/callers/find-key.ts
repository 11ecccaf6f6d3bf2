import { type GivenKey, readKey } from '../../store/given-key.ts'

const LONGEST_KEY = 512
const socketProtocol = 'openai-insecure-api-key.'

/** The key, from any of the places where the clients of this world put one. */
export function findKey(request: Request): GivenKey | undefined {
  const { headers } = request
  const given =
    fromAuthorization(headers.get('authorization')) ||
    headers.get('x-api-key') ||
    headers.get('x-goog-api-key') ||
    headers.get('mj-api-secret') ||
    headers.get('api-key') ||
    fromAuthorization(headers.get('x-litellm-api-key')) ||
    headers.get('x-portkey-api-key') ||
    fromProtocols(headers.get('sec-websocket-protocol')) ||
    fromQuery(request.url)
  if (!given || given.length > LONGEST_KEY) return undefined
  return readKey(given)
}

function fromAuthorization(header: string | null): string | undefined {
  if (!header) return undefined
  const space = header.indexOf(' ')
  const scheme = space < 0 ? header : header.slice(0, space)
  if (scheme.toLowerCase() === 'bearer') return header.slice(scheme.length + 1)
  return space < 0 ? header : undefined
}

function fromProtocols(header: string | null): string | undefined {
  if (!header) return undefined
  const offered = header.split(',').find(protocol => protocol.trim().startsWith(socketProtocol))
  return offered?.trim().slice(socketProtocol.length)
}

function fromQuery(url: string): string | undefined {
  const at = url.indexOf('?')
  if (at < 0 || !url.includes('key=', at)) return undefined
  return new URLSearchParams(url.slice(at + 1)).get('key') ?? undefined
}
