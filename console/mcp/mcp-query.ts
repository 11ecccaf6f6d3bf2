import { queryOptions } from '@tanstack/react-query'
import { mcpEndpoints } from '../../contract/mcp.ts'
import { call } from '../api.ts'
import { queryClient } from '../query-client.ts'

/** The servers that one's own tokens may use. */
export const usableMcpQuery = queryOptions({
  queryKey: ['mcp', 'usable'],
  queryFn: ({ signal }) => call(mcpEndpoints.usableMcpServers, { signal }),
})

export function mcpToolsQuery(name: string) {
  return queryOptions({
    queryKey: ['mcp', 'tools', name],
    queryFn: ({ signal }) => call(mcpEndpoints.usableMcpTools, { params: { name }, signal }),
    staleTime: 60_000,
    retry: false,
  })
}

/** With the first server the menu has one item more, and with the last one less. */
export async function refreshMcp(): Promise<void> {
  const refresh = (key: string) => queryClient.invalidateQueries({ queryKey: [key] })
  await Promise.all([refresh('mcp'), refresh('status')])
}
