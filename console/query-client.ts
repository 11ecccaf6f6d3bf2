import { MutationCache, notifyManager, QueryClient } from '@tanstack/react-query'
import { ApiError, messageOf } from './api.ts'
import { toast } from './ui/layers/toast.ts'

// At once, not after a timeout: the second of two quick clicks would come first, and buy or save again.
notifyManager.setScheduler(queueMicrotask)

/** What is asked for the first time is asked anew when it may have changed. */
class Queries extends QueryClient {
  override invalidateQueries: QueryClient['invalidateQueries'] = (filters, options) => {
    // An answer that is on its way may be from before the change. The library gives it up only where there was one
    // already, and would show it for the new one.
    for (const query of this.getQueryCache().findAll({ ...filters, type: 'active', fetchStatus: 'fetching' }))
      if (query.state.data === undefined) void query.cancel({ revert: true, silent: true })
    return super.invalidateQueries(filters, options)
  }
}

/** Changes that fail say so in a toast; reads that fail say so where their content would be. */
export const queryClient = new Queries({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < 1 && error instanceof ApiError && error.kind === 'unreachable',
      retryDelay: 400,
      refetchOnWindowFocus: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
  mutationCache: new MutationCache({
    onError: error => toast.error(messageOf(error)),
  }),
})
