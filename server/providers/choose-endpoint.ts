import type { DialectName, TranslatedDialect } from '../dialects/spec.ts'
import type {
  Calling,
  ChatEndpoint,
  Destination,
  PlainCapability,
  PlainEndpoint,
  Provider,
} from './define.ts'
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
  return (
    provider.chat?.find(one => one.searches?.(upstream.model) && isThere(one, provider, upstream)) ?? endpoint
  )
}

/** Where a model has to be asked, whatever its client speaks; undefined for most. */
export function insistingEndpoint(
  provider: Provider,
  upstream: Upstream,
  calling: Calling | undefined,
): ChatEndpoint | undefined {
  return provider.chat?.find(
    one => one.insists?.(upstream.model, calling) && isThere(one, provider, upstream),
  )
}

/** Where the Responses API is for those that chat was refused; undefined where it is surely not. */
export function responsesBeside(provider: Provider, upstream: Upstream): ChatEndpoint | undefined {
  const { dialects = [], baseUrl } = upstream
  const isSpoken =
    dialects.length > 0 ? dialects.includes('openai-responses') : !provider.isWholeAddress?.(baseUrl)
  if (!isSpoken) return undefined
  const endpoint = chooseSpoken(provider, 'openai-responses', upstream)
  return endpoint?.dialect === 'openai-responses' ? endpoint : standardEndpoints['openai-responses']
}

/** By the operator's word, else where the vendor is; one without an address of its own is wherever the operator says. */
function isThere({ dialect }: ChatEndpoint, provider: Provider, { dialects, baseUrl }: Upstream): boolean {
  if (dialects?.length) return dialects.some(name => name === dialect)
  return baseUrl === provider.baseUrl || baseUrl.startsWith(`${provider.baseUrl}/`) || provider.baseUrl === ''
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
