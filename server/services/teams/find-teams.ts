import type { Endpoints } from '../../../contract/index.ts'
import type { OwnTeams, TeamView } from '../../../contract/teams.ts'
import { roles, userStatuses } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import { viewLimit } from '../../ledger/spending/set-limits.ts'
import type { App } from '../app.ts'
import type { CallOf } from '../call.ts'
import { readId } from '../row-id.ts'
import { mayCreate } from './create-team.ts'
import { mayStillInvite } from './invitations.ts'
import { asRole } from './load-team.ts'

export async function ownTeams(app: App, { caller }: CallOf<Endpoints['ownTeams']>): Promise<OwnTeams> {
  const { db } = app.store
  const teams = await db
    .selectFrom('team_members as own')
    .innerJoin('users', 'users.id', 'own.team_id')
    .select(['users.id', 'users.username as name', 'own.role', 'users.status'])
    .select(row =>
      row
        .selectFrom('team_members as all')
        .whereRef('all.team_id', '=', 'own.team_id')
        .select(all => all.fn.countAll<number>().as('members'))
        .as('members'),
    )
    .where('own.user_id', '=', caller.id)
    .where('users.deleted_at', 'is', null)
    .orderBy('users.username')
    .execute()
  const invitations = await db
    .selectFrom('team_invitations as asked')
    .innerJoin('users as team', 'team.id', 'asked.team_id')
    .innerJoin('users as by', 'by.id', 'asked.invited_by')
    .select([
      'team.id',
      'team.username as name',
      'asked.role',
      'asked.invited_at',
      'by.username as invited_by',
    ])
    .where('asked.user_id', '=', caller.id)
    .where('team.deleted_at', 'is', null)
    .where('by.status', '=', userStatuses.active)
    .where('by.deleted_at', 'is', null)
    .where(mayStillInvite)
    .orderBy('asked.id', 'desc')
    .execute()
  const latest = new Map(invitations.toReversed().map(each => [each.id, each]))
  return {
    teams: teams.map(({ role, members, ...rest }) => ({
      ...rest,
      role: asRole(role),
      members: Number(members),
    })),
    invitations: [...latest.values()].toReversed().map(each => ({ ...each, role: asRole(each.role) })),
    may_create: mayCreate(app, caller),
  }
}

/** For its members and for administrators; what others made is for those who manage it. */
export async function getTeam(app: App, { caller, params }: CallOf<Endpoints['getTeam']>): Promise<TeamView> {
  const id = readId(params)
  const { db } = app.store
  const team = await db
    .selectFrom('users')
    .select(['id', 'username', 'status', 'group', 'quota', 'used_quota'])
    .where('id', '=', id)
    .where('role', '=', roles.team)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const members = team ? await membersOf(app, id) : []
  const role = members.find(({ user_id }) => user_id === caller.id)?.role
  const isAdmin = caller.role >= roles.admin
  if (!team || !(role || isAdmin)) throw new AppError('row.not-found')
  const manages = isAdmin || role === 'owner'
  const { username: name, ...rest } = team
  return {
    ...rest,
    name,
    role: role ?? '',
    members: members.map(each =>
      manages || each.user_id === caller.id ? each : { ...each, tokens: 0, used_quota: 0, limits: [] },
    ),
    invitations: manages ? await invitationsOf(app, id) : [],
  }
}

async function membersOf({ store, now }: App, teamId: number): Promise<TeamView['members']> {
  const rows = await store.db
    .selectFrom('team_members')
    .innerJoin('users', 'users.id', 'team_members.user_id')
    .select(['team_members.user_id', 'users.username', 'users.display_name', 'users.status'])
    .select(['team_members.role', 'team_members.added_at'])
    .where('team_members.team_id', '=', teamId)
    .orderBy('team_members.added_at')
    .orderBy('team_members.user_id')
    .execute()
  const made = await store.db
    .selectFrom('tokens')
    .select('created_by')
    .select(row => [
      row.fn.sum<number>(row.case().when('deleted_at', 'is', null).then(1).else(0).end()).as('tokens'),
      row.fn.sum<number>('used_quota').as('used_quota'),
    ])
    .where('user_id', '=', teamId)
    .groupBy('created_by')
    .execute()
  const limits = await store.db
    .selectFrom('spend_limits')
    .select(['member_id', 'period', 'amount', 'spent', 'ends_at'])
    .where('user_id', '=', teamId)
    .where('subject', '=', 'member')
    .orderBy('id')
    .execute()
  const byMaker = new Map(made.map(row => [row.created_by, row]))
  return rows.map(row => ({
    ...row,
    role: asRole(row.role),
    tokens: Number(byMaker.get(row.user_id)?.tokens ?? 0),
    used_quota: Number(byMaker.get(row.user_id)?.used_quota ?? 0),
    limits: limits.filter(limit => limit.member_id === row.user_id).map(limit => viewLimit(limit, now())),
  }))
}

async function invitationsOf({ store }: App, teamId: number): Promise<TeamView['invitations']> {
  const rows = await store.db
    .selectFrom('team_invitations')
    .select(['id', 'invitee', 'role', 'invited_at'])
    .where('team_id', '=', teamId)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(row => ({ ...row, role: asRole(row.role) }))
}
