import * as z from 'zod/mini'
import { lineText, nameText } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { spendLimitList, spendLimitView } from './spend-limits.ts'

/** Names the team that a call is made for. */
export const TEAM_HEADER = 'Tollgate-Team'
export const LONGEST_TEAM_NAME = 30

/** Owners see and manage all that is the team's; members what they made themselves. */
export const teamRoles = ['owner', 'member'] as const
export type TeamRole = (typeof teamRoles)[number]
const teamRole = z.enum(teamRoles)

const invitedTo = z.object({
  id: z.int(),
  name: z.string(),
  role: teamRole,
  invited_by: z.string(),
  invited_at: z.int(),
})

const ownTeams = z.object({
  teams: z.array(
    z.object({ id: z.int(), name: z.string(), role: teamRole, status: z.int(), members: z.int() }),
  ),
  /** Teams that ask for the caller. */
  invitations: z.array(invitedTo),
  may_create: z.boolean(),
})
export type OwnTeams = z.output<typeof ownTeams>

const team = z.object({
  id: z.int(),
  name: z.string(),
  status: z.int(),
  group: z.string(),
  quota: z.int(),
  used_quota: z.int(),
  /** What the caller is in it; blank for an administrator who is no member. */
  role: z.union([teamRole, z.literal('')]),
  members: z.array(
    z.object({
      user_id: z.int(),
      username: z.string(),
      display_name: z.string(),
      status: z.int(),
      role: teamRole,
      added_at: z.int(),
      /** Of what they made: how many there are, and what those ever spent; 0 to whoever may not see it. */
      tokens: z.int(),
      used_quota: z.int(),
      /** What they may spend of the team’s money, with all of those together; none to whoever may not see it. */
      limits: z.array(spendLimitView),
    }),
  ),
  /** For owners. Whether anybody has the name or address is not told. */
  invitations: z.array(z.object({ id: z.int(), invitee: z.string(), role: teamRole, invited_at: z.int() })),
})
export type TeamView = z.output<typeof team>

const invitee = z.string().check(z.trim(), z.minLength(1), z.maxLength(254), z.regex(/^[^\p{Cc}\p{Cs}]+$/u))

export const teamEndpoints = {
  ownTeams: endpoint({
    method: 'GET',
    path: '/api/team/self',
    access: 'user',
    summary: {
      zh: '自己所在的团队、收到的邀请，以及能否创建团队',
      en: 'The teams you are in, those that invite you, and whether you may make one',
    },
    output: ownTeams,
  }),
  createTeam: endpoint({
    method: 'POST',
    path: '/api/team',
    access: 'user',
    bodyLimit: 4 * 1024,
    summary: {
      zh: '创建团队并成为其所有者（管理员始终可以；普通用户需开放此功能）；管理员可用 owner 指定另一所有者的用户名',
      en: 'Make a team and own it (administrators always may, others where that is switched on); administrators can name another owner by username',
    },
    body: z.object({ name: nameText, owner: nameText }),
    output: z.object({ id: z.int() }),
  }),
  getTeam: endpoint({
    method: 'GET',
    path: '/api/team/:id',
    access: 'user',
    summary: {
      zh: '团队及其成员；所有者与管理员还可看到邀请',
      en: 'A team and its members; its invitations too, for owners and administrators',
    },
    output: team,
  }),
  renameTeam: endpoint({
    method: 'PUT',
    path: '/api/team/:id',
    access: 'user',
    bodyLimit: 4 * 1024,
    summary: { zh: '重命名团队（所有者或管理员）', en: 'Rename a team, as an owner or administrator' },
    body: z.object({ name: nameText }),
  }),
  inviteToTeam: endpoint({
    method: 'POST',
    path: '/api/team/:id/invitations',
    access: 'user',
    bodyLimit: 4 * 1024,
    summary: {
      zh: '按用户名或邮箱邀请（所有者或管理员）；无论该账户是否存在，回答都相同',
      en: 'Invite by username or e-mail, as an owner or administrator; the answer is the same whether or not anybody has it',
    },
    body: z.object({ invitee, role: z._default(teamRole, 'member') }),
  }),
  withdrawInvitation: endpoint({
    method: 'DELETE',
    path: '/api/team/:id/invitations/:invitation',
    access: 'user',
    summary: { zh: '撤回邀请（所有者或管理员）', en: 'Withdraw an invitation, as an owner or administrator' },
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/api/team/:id/accept',
    access: 'user',
    summary: { zh: '接受团队的邀请', en: 'Accept a team’s invitation' },
  }),
  declineInvitation: endpoint({
    method: 'POST',
    path: '/api/team/:id/decline',
    access: 'user',
    summary: { zh: '谢绝团队的邀请', en: 'Decline a team’s invitation' },
  }),
  addTeamMember: endpoint({
    method: 'POST',
    path: '/api/team/:id/members',
    access: 'admin',
    bodyLimit: 4 * 1024,
    summary: {
      zh: '管理员直接将用户加入团队，无需邀请',
      en: 'Put a user into a team without an invitation, as an administrator',
    },
    body: z.object({ username: lineText(100), role: z._default(teamRole, 'member') }),
  }),
  changeTeamMember: endpoint({
    method: 'PUT',
    path: '/api/team/:id/members/:member',
    access: 'user',
    bodyLimit: 4 * 1024,
    summary: {
      zh: '修改成员的角色（所有者或管理员）',
      en: 'Change a member’s role, as an owner or administrator',
    },
    body: z.object({ role: teamRole }),
  }),
  limitTeamMember: endpoint({
    method: 'PUT',
    path: '/api/team/:id/members/:member/limits',
    access: 'user',
    bodyLimit: 4 * 1024,
    summary: {
      zh: '设置成员用其全部团队令牌在每 5 小时、每天、每周、每月内或总共可消费的额度（所有者或管理员）；未列出的取消',
      en: 'Set what a member may spend with all their tokens of the team in five hours, a day, a week, a month or in all, as an owner or administrator; what is not listed is unlimited',
    },
    body: z.object({ limits: spendLimitList }),
  }),
  removeTeamMember: endpoint({
    method: 'DELETE',
    path: '/api/team/:id/members/:member',
    access: 'user',
    summary: {
      zh: '移除成员（所有者或管理员）；其创建的团队令牌默认禁用，tokens=keep 时归移除者、继续可用',
      en: 'Remove a member, as an owner or administrator; the team’s tokens that they made are disabled, or with tokens=keep go on as the remover’s',
    },
    query: z.object({ tokens: z._default(z.enum(['disable', 'keep']), 'disable') }),
  }),
  leaveTeam: endpoint({
    method: 'POST',
    path: '/api/team/:id/leave',
    access: 'user',
    summary: {
      zh: '退出团队；自己创建的团队令牌随之禁用，唯一的所有者不能退出',
      en: 'Leave a team; the tokens you made for it are disabled, and its only owner cannot leave',
    },
  }),
}
