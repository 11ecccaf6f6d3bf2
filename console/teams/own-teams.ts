import { queryOptions } from '@tanstack/react-query'
import { queryClient } from '../query-client.ts'

/** The teams that somebody is in and those that ask for them. What it takes to ask is not part of every page. */
export function ownTeamsQuery(userId: number | undefined) {
  return queryOptions({
    queryKey: ['teams', 'own', userId],
    queryFn: async ({ signal }) => (await import('./read-own-teams.ts')).readOwnTeams(signal),
    enabled: userId !== undefined,
    staleTime: 60_000,
  })
}

export function refreshTeams(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['teams'] })
}
