import type { TeamRole } from '../../../contract/teams.ts'

export const roleWords = { owner: 'role.owner', member: 'role.member' } as const satisfies Record<
  TeamRole,
  string
>
