import type { teamEndpoints } from '../../../contract/teams.ts'
import type { App } from '../app.ts'
import type { Handlers } from '../call.ts'
import { createTeam, renameTeam } from './create-team.ts'
import { getTeam, ownTeams } from './find-teams.ts'
import { accept, decline, invite, withdraw } from './invitations.ts'
import { limitMember } from './limit-member.ts'
import { appoint, changeMember, leave, removeMember } from './members.ts'

export function teamHandlers(app: App): Handlers<keyof typeof teamEndpoints> {
  return {
    ownTeams: call => ownTeams(app, call),
    createTeam: call => createTeam(app, call),
    getTeam: call => getTeam(app, call),
    renameTeam: call => renameTeam(app, call),
    inviteToTeam: call => invite(app, call),
    withdrawInvitation: call => withdraw(app, call),
    acceptInvitation: call => accept(app, call),
    declineInvitation: call => decline(app, call),
    addTeamMember: call => appoint(app, call),
    changeTeamMember: call => changeMember(app, call),
    limitTeamMember: call => limitMember(app, call),
    removeTeamMember: call => removeMember(app, call),
    leaveTeam: call => leave(app, call),
  }
}
