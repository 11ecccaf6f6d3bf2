import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type TokenView, tokenEndpoints } from '../../../contract/tokens.ts'
import { call } from '../../api.ts'
import { asPage, type PageOfRows } from '../../page-of-rows.ts'
import { queryClient } from '../../query-client.ts'
import type { TokenSearch } from './route.ts'

export function tokensQuery({ p = 1, keyword = '', key = '' }: TokenSearch, pageSize: number) {
  return queryOptions({
    queryKey: ['tokens', { p, keyword, key, pageSize }],
    queryFn: async ({ signal }): Promise<PageOfRows<TokenView>> => {
      const paging = { p, page_size: pageSize }
      const found =
        keyword || key
          ? await call(tokenEndpoints.searchTokens, { query: { ...paging, keyword, token: key }, signal })
          : await call(tokenEndpoints.listTokens, { query: paging, signal })
      return asPage(found)
    },
    placeholderData: keepPreviousData,
  })
}

export function refreshTokens(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['tokens'] })
}
