import { queryOptions } from '@tanstack/react-query'
import { accountEndpoints } from '../../../contract/accounts.ts'
import { tokenEndpoints } from '../../../contract/tokens.ts'
import { call } from '../../api.ts'
import { mayBeKey } from '../../may-be-key.ts'
import { queryClient } from '../../query-client.ts'
import type { Paging } from '../../ui/lists/use-list-page.ts'
import type { TokenSearch } from './route.ts'

export const ownGroupsQuery = queryOptions({
  queryKey: ['own-groups'],
  queryFn: ({ signal }) => call(accountEndpoints.ownGroups, { signal }),
})

export function readTokens({ keyword = '', key = '' }: TokenSearch, paging: Paging, signal: AbortSignal) {
  const asked = { ...paging, keyword, token: key }
  if (key || mayBeKey(keyword)) return call(tokenEndpoints.findTokens, { body: asked, signal })
  return keyword
    ? call(tokenEndpoints.searchTokens, { query: asked, signal })
    : call(tokenEndpoints.listTokens, { query: paging, signal })
}

export async function refreshTokens(): Promise<void> {
  // The guide that stands above the list knows of them too.
  const known = [['tokens'], ['start']]
  await Promise.all(known.map(queryKey => queryClient.invalidateQueries({ queryKey })))
}
