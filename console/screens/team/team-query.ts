import { queryOptions } from '@tanstack/react-query'
import { teamEndpoints } from '../../../contract/teams.ts'
import { call } from '../../api.ts'

export function teamQuery(id: number) {
  return queryOptions({
    queryKey: ['teams', 'one', id],
    queryFn: ({ signal }) => call(teamEndpoints.getTeam, { params: { id }, signal }),
  })
}
