import { queryOptions } from '@tanstack/react-query'
import { channelEndpoints } from '../../../../contract/channels.ts'
import { call } from '../../../api.ts'

/** The names of all built-in models. */
export const builtInModelsQuery = queryOptions({
  queryKey: ['channels', 'models'],
  queryFn: async ({ signal }) => {
    const models = await call(channelEndpoints.channelModels, { signal })
    return models.map(({ id }) => id)
  },
  staleTime: 600_000,
})

/** The models that each type usually has. */
export const modelsByTypeQuery = queryOptions({
  queryKey: ['channels', 'models-by-type'],
  queryFn: ({ signal }) => call(channelEndpoints.modelsByType, { signal }),
  staleTime: 600_000,
})
