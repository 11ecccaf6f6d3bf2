import { type ErrorTexts, e } from './define.ts'

/** What teams, their owners and their members may not do. */
export const teamErrors = {
  'team.header-format': e(400, 'Tollgate-Team 格式错误', 'The Tollgate-Team header is not the id of a team'),
  'team.not-member': e(
    403,
    '团队不存在，或您不是其成员',
    'There is no such team, or you are not a member of it',
  ),
  'team.banned': e(403, '团队已被封禁', 'This team is banned'),
  'team.owners-only': e(200, '仅团队所有者可以进行此操作', 'Only owners of the team may do this'),
  'team.last-owner': e(
    200,
    '团队至少需要一名所有者，请先指定其他所有者',
    'A team needs an owner: make somebody else one first',
  ),
  'team.own-deleted': e(
    200,
    '您是团队 {team} 唯一的所有者，请先指定其他所有者',
    'You are the only owner of the team {team}: make somebody else one first',
  ),
  'team.is-member': e(200, '该用户已是团队成员', 'This user is a member of the team already'),
  'team.is-invited': e(200, '已邀请过该用户', 'This user has been invited already'),
  'team.too-many-members': e(
    200,
    '团队成员或邀请已达上限 {most}',
    'A team has at most {most} members or invitations',
  ),
  'team.no-creation': e(200, '管理员未开放创建团队', 'The operator does not let users make teams'),
  'team.too-many': e(
    200,
    '最多可拥有 {most} 个团队',
    'You can own at most {most, plural, one {# team} other {# teams}}',
  ),
  'team.name': e(
    200,
    '团队名称需为 1 到 {most} 个可见字符（Unicode NFC 形式）',
    'A team’s name has 1 to {most} characters that can be seen, in Unicode’s composed form (NFC)',
  ),
  'team.no-password': e(200, '团队账户不能登录，没有密码', 'Nobody logs in as a team: it has no password'),
  'team.no-rank': e(200, '团队账户不能成为管理员', 'A team cannot be an administrator'),
  'team.not-a-person': e(200, '团队账户不能登录', 'Nobody logs in as a team'),
} as const satisfies ErrorTexts
