import type { Destination, Endpoint } from '../define.ts'

const OWN_API = '/api/v1'
const COMPATIBLE = '/compatible-mode/v1'

/** Operators give the host, or the base URL of either API: both are then under the same host. */
export function at(path: string): Endpoint['path'] {
  return ({ baseUrl }) => {
    const host = hostOf(baseUrl)
    return host === baseUrl ? path : host + path
  }
}

/** The vendor's own form of chat is spoken where plugins are wanted, which only it knows, or where its base URL is given. */
export function speaksOwnForm({ baseUrl, other }: Destination): boolean {
  return other.trim() !== '' || baseUrl.endsWith(OWN_API)
}

/** Without which of its APIs is meant. */
export function hostOf(baseUrl: string): string {
  for (const end of [OWN_API, COMPATIBLE]) if (baseUrl.endsWith(end)) return baseUrl.slice(0, -end.length)
  return baseUrl
}
