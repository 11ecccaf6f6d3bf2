import { queryOptions } from '@tanstack/react-query'
import { accountEndpoints } from '../../../contract/accounts.ts'
import { promptEndpoints } from '../../../contract/prompts.ts'
import { call } from '../../api.ts'
import { queryClient } from '../../query-client.ts'

/** Known under the name of the list, so that they go stale with it. */
export const promptQuery = (id: number) =>
  queryOptions({
    queryKey: ['prompts', 'whole', id],
    queryFn: ({ signal }) => call(promptEndpoints.getPrompt, { params: { id }, signal }),
  })

export const releasesQuery = (id: number, page: number, pageSize: number) =>
  queryOptions({
    queryKey: ['prompts', 'releases', id, page, pageSize],
    queryFn: ({ signal }) =>
      call(promptEndpoints.listPromptReleases, {
        params: { id },
        query: { p: page, page_size: pageSize },
        signal,
      }),
  })

/** A version never changes. */
export const versionQuery = (id: number, version: number) =>
  queryOptions({
    queryKey: ['prompt-version', id, version],
    queryFn: ({ signal }) => call(promptEndpoints.getPromptVersion, { params: { id, version }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const modelsQuery = queryOptions({
  queryKey: ['usable-models', 'chat'],
  queryFn: ({ signal }) => call(accountEndpoints.usableModels, { query: { kind: 'chat' }, signal }),
  staleTime: 60_000,
})

export async function refreshPrompts(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['prompts'] })
}
