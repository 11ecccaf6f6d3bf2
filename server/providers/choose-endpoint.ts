import type { DialectName, TranslatedDialect } from '../dialects/spec.ts'
import type { ChatEndpoint, Destination, PlainCapability, PlainEndpoint, Provider } from './define.ts'
import { standardEndpoints, wholeEndpoints } from './standard-endpoints.ts'

/** What a channel says of its upstream, and what is to be asked there. */
export interface Upstream extends Destination {
  /** In force: the operator's, or the provider's own. Without a slash at the end. */
  readonly baseUrl: string
  /** The dialects that the operator says are spoken there, the preferred one first. */
  readonly dialects?: readonly TranslatedDialect[] | undefined
}

/**
 * The client's own dialect where it is spoken, else the first that is; for a search, the one in which the vendor
 * makes it. Undefined: no chat at all.
 */
export function chooseEndpoint(
  provider: Provider,
  asked: DialectName,
  upstream: Upstream,
  searches = false,
): ChatEndpoint | undefined {
  const endpoint = chooseSpoken(provider, asked, upstream)
  if (!searches || endpoint?.dialect === asked) return endpoint
  const isThere = ({ dialect }: ChatEndpoint): boolean =>
    upstream.dialects?.length
      ? upstream.dialects.some(name => name === dialect)
      : upstream.baseUrl === provider.baseUrl
  return provider.chat?.find(one => one.searches?.(upstream.model) && isThere(one)) ?? endpoint
}

function chooseSpoken(provider: Provider, asked: DialectName, upstream: Upstream): ChatEndpoint | undefined {
  if (asked === 'gemini-interactions') return chooseInteractions(provider, upstream)
  const atVendor = upstream.baseUrl === provider.baseUrl
  const [preferred] = upstream.dialects ?? []
  const usable = provider.chat?.filter(
    endpoint =>
      endpoint.dialect !== 'gemini-interactions' &&
      (atVendor || !endpoint.vendorOnly) &&
      (endpoint.serves?.(upstream) ?? true),
  )
  const findSpoken = (dialect: DialectName) => usable?.find(endpoint => endpoint.dialect === dialect)
  if (preferred === undefined) return findSpoken(asked) ?? usable?.[0]
  if (provider.isWholeAddress?.(upstream.baseUrl)) return findSpoken(preferred) ?? wholeEndpoints[preferred]
  const dialect = upstream.dialects?.includes(asked) ? asked : preferred
  return findSpoken(dialect) ?? standardEndpoints[dialect]
}

/** Where Google is spoken to in its own words; anywhere else what is spoken there, which cannot say them. */
function chooseInteractions(provider: Provider, upstream: Upstream): ChatEndpoint | undefined {
  const own = provider.chat?.find(({ dialect }) => dialect === 'gemini-interactions')
  const { dialects = [] } = upstream
  if (own && (dialects.length === 0 || dialects.includes('gemini'))) return own
  return chooseSpoken(provider, 'gemini', upstream)
}

/** Undefined when the provider has no such address for this model and this key. */
export function choosePlainEndpoint(
  provider: Provider,
  capability: PlainCapability,
  to: Destination,
): PlainEndpoint | undefined {
  return plainEndpointsOf(provider, capability).find(endpoint => endpoint.serves?.(to) ?? true)
}

export function plainEndpointsOf(provider: Provider, capability: PlainCapability): readonly PlainEndpoint[] {
  const endpoints = provider[capability]
  if (endpoints === undefined) return []
  return 'path' in endpoints ? [endpoints] : endpoints
}
