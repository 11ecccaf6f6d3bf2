import type { Capability, Provider } from './define.ts'

/** Whether a channel of this provider with this base URL has an address for a capability. */
export function canServe(provider: Provider, capability: Capability, baseUrl: string): boolean {
  if (capability === 'chat') return provider.chat !== undefined
  return provider[capability] !== undefined && !provider.isWholeAddress?.(baseUrl)
}
