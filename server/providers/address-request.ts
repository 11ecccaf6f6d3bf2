import type { Destination, Endpoint, Provider, Signer } from './define.ts'
import { fillModel, joinUrl } from './kit/url.ts'

/** The whole URL of a request. */
export function urlOf(endpoint: Endpoint, to: Destination): string {
  return joinUrl(fillModel(to.baseUrl, to.model), endpoint.path(to))
}

/** The provider's headers of a request, in lower case, a new object each time. */
export function headersOf(provider: Provider, endpoint: Endpoint, to: Destination): Record<string, string> {
  const credential = endpoint.credential ?? provider.credential
  const headers = credential(to.key, to)
  return endpoint.headers ? { ...headers, ...endpoint.headers(to) } : headers
}

/** An address with a credential of its own wants that and nothing else. */
export function signerOf(provider: Provider, endpoint: Endpoint): Signer | undefined {
  return endpoint.signer ?? (endpoint.credential ? undefined : provider.signer)
}
