import { type OwnTeams, teamEndpoints } from '../../contract/teams.ts'
import { call } from '../api.ts'

export function readOwnTeams(signal: AbortSignal): Promise<OwnTeams> {
  return call(teamEndpoints.ownTeams, { signal })
}
