import { queryOptions } from '@tanstack/react-query'
import type { BodyInputOf } from '../../../../../contract/endpoint.ts'
import { priceSourceEndpoints } from '../../../../../contract/price-sources.ts'
import { call } from '../../../../api.ts'

/** What everyone publishes in a form that is understood. */
export const publicLists = [
  'https://models.dev/api.json',
  'https://openrouter.ai/api/v1/models',
  'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json',
]

export interface ChannelSource {
  readonly id: number
  /** As it stands in the field. */
  readonly label: string
}

export const channelsQuery = queryOptions({
  queryKey: ['price-channels'],
  queryFn: async ({ signal }): Promise<ChannelSource[]> => {
    const channels = await call(priceSourceEndpoints.priceSources, { signal })
    return channels.map(({ id, name, base_url }) => ({ id, label: `${name} · ${base_url}` }))
  },
})

export type Source = BodyInputOf<typeof priceSourceEndpoints.comparePrices>

/** What was chosen or typed. A name alone needs no scheme. */
export function readSource(text: string, channels: readonly ChannelSource[]): Source {
  const typed = text.trim()
  const channel = channels.find(({ label }) => label === typed)
  if (channel) return { channel_id: channel.id }
  return { url: typed === '' || typed.includes('://') ? typed : `https://${typed}` }
}

/** Asked for again only by whoever wants to know. */
export function comparisonQuery(source: Source | undefined) {
  return queryOptions({
    queryKey: ['price-comparison', source],
    enabled: source !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    queryFn: ({ signal }) => call(priceSourceEndpoints.comparePrices, { body: source ?? {}, signal }),
  })
}
