import { queryOptions } from '@tanstack/react-query'
import { userEndpoints } from '../contract/users.ts'
import { call } from './api.ts'
import { readTeam, readUser, storeUser } from './session.ts'

/** The logged-in user as the server knows them now. */
export function selfQuery(userId: number | undefined) {
  return queryOptions({
    queryKey: ['self', userId],
    queryFn: async ({ signal }) => {
      const self = await call(userEndpoints.self, { signal, own: true })
      // A role or a name may have changed since the login; whoever has logged out meanwhile stays out.
      if (readUser()?.id === self.id) storeUser(self)
      return self
    },
    staleTime: 30_000,
  })
}

/** The account that is spent from: the team's that is acted for, or one's own. */
export function accountQuery(userId: number | undefined) {
  const teamId = readTeam()?.id
  if (teamId === undefined) return selfQuery(userId)
  return queryOptions({
    queryKey: ['self', userId, teamId],
    queryFn: ({ signal }) => call(userEndpoints.self, { signal }),
    staleTime: 30_000,
  })
}
