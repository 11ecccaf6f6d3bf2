import { MutationCache, notifyManager, QueryClient } from '@tanstack/react-query'
import { ApiError, messageOf } from './api.ts'
import { toast } from './ui/layers/toast.ts'

// At once, not after a timeout: the second of two quick clicks would come first, and buy or save again.
notifyManager.setScheduler(queueMicrotask)

/** Changes that fail say so in a toast; reads that fail say so where their content would be. */
export const queryClient = new QueryClient({
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
