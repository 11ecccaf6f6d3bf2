import type { DialectName } from '../dialects/spec.ts'
import type { ChatEndpoint, Provider } from './define.ts'
import { standardEndpoints, wholeEndpoints } from './standard-endpoints.ts'

/** What a channel says of its upstream. */
export interface Upstream {
  /** In force: the operator's, or the provider's own. Without a slash at the end. */
  readonly baseUrl: string
  /** The dialects that the operator says are spoken there, the preferred one first. */
  readonly dialects?: readonly DialectName[] | undefined
}

/** The client's own dialect where it is spoken, else the first that is. Undefined: no chat at all. */
export function chooseEndpoint(
  provider: Provider,
  asked: DialectName,
  upstream: Upstream,
): ChatEndpoint | undefined {
  const atVendor = upstream.baseUrl === provider.baseUrl
  const [preferred] = upstream.dialects ?? []
  if (preferred === undefined) return findSpoken(provider, asked, atVendor) ?? findFirst(provider, atVendor)
  if (provider.isWholeAddress?.(upstream.baseUrl))
    return findSpoken(provider, preferred, atVendor) ?? wholeEndpoints[preferred]
  const dialect = upstream.dialects?.includes(asked) ? asked : preferred
  return findSpoken(provider, dialect, atVendor) ?? standardEndpoints[dialect]
}

function findSpoken(provider: Provider, dialect: DialectName, atVendor: boolean): ChatEndpoint | undefined {
  return provider.chat?.find(endpoint => endpoint.dialect === dialect && (atVendor || !endpoint.vendorOnly))
}

function findFirst(provider: Provider, atVendor: boolean): ChatEndpoint | undefined {
  return provider.chat?.find(endpoint => atVendor || !endpoint.vendorOnly)
}
