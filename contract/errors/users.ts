import { type ErrorTexts, e } from './define.ts'

/** What administrators may not do to users. */
export const userAdminErrors = {
  'users.view-rank': e(
    200,
    '无权获取同级或更高等级用户的信息',
    'You may not see users of your own rank or above',
  ),
  'users.create-rank': e(
    200,
    '无法创建权限大于等于自己的用户',
    'You cannot create a user of your own rank or above',
  ),
  'users.edit-rank': e(
    200,
    '无权更新同权限等级或更高权限等级的用户信息',
    'You may not change users of your own rank or above',
  ),
  'users.raise-rank': e(
    200,
    '无权将其他用户权限等级提升到大于等于自己的权限等级',
    'You may not raise a user to your own rank or above',
  ),
  'users.delete-rank': e(
    200,
    '无权删除同权限等级或更高权限等级的用户',
    'You may not delete users of your own rank or above',
  ),
  'users.promote-rank': e(
    200,
    '普通管理员用户无法提升其他用户为管理员',
    'Only the super administrator can make administrators',
  ),
  'users.is-admin': e(200, '该用户已经是管理员', 'This user is an administrator already'),
  'users.is-ordinary': e(200, '该用户已经是普通用户', 'This user is an ordinary user already'),
  'users.disable-root': e(200, '无法禁用超级管理员用户', 'The super administrator cannot be disabled'),
  'users.delete-root': e(200, '无法删除超级管理员用户', 'The super administrator cannot be deleted'),
  'users.demote-root': e(200, '无法降级超级管理员用户', 'The super administrator cannot be demoted'),
  'users.unknown': e(200, '用户不存在', 'There is no such user'),
  'users.unknown-group': e(200, '分组 {group} 不存在', 'There is no group {group}'),
} as const satisfies ErrorTexts
