import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type TokenView, tokenEndpoints } from '../../../contract/tokens.ts'
import { call } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import type { TokenSearch } from './route.ts'

export interface TokenPage {
  readonly items: readonly TokenView[]
  readonly total: number
}

export function tokensQuery({ p = 1, keyword = '', key = '' }: TokenSearch, pageSize: number) {
  return queryOptions({
    queryKey: ['tokens', { p, keyword, key, pageSize }],
    queryFn: async ({ signal }): Promise<TokenPage> => {
      const paging = { p, page_size: pageSize }
      const found =
        keyword || key
          ? await call(tokenEndpoints.searchTokens, { query: { ...paging, keyword, token: key }, signal })
          : await call(tokenEndpoints.listTokens, { query: paging, signal })
      return Array.isArray(found) ? { items: found, total: found.length } : found
    },
    placeholderData: keepPreviousData,
  })
}

export function refreshTokens(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['tokens'] })
}
