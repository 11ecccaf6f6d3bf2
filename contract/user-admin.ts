import * as z from 'zod/mini'
import { lineText, nameText } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { listOf, pageQuery } from './paging.ts'
import { limitFields, limitsView } from './tokens.ts'
import { userView } from './users.ts'

export const MOST_QUOTA = 1_000_000_000_000_000
const keyword = z._default(lineText(2000), '')
const password = z._default(z.string().check(z.maxLength(200)), '')

/** Nothing here but what an administrator may set; whatever else is sent is not looked at. */
const editableFields = {
  username: nameText,
  display_name: z.optional(lineText(100)),
  password,
  group: z._default(lineText(64), ''),
  quota: z.optional(z.int().check(z.gte(0), z.lte(MOST_QUOTA))),
  /** Added to what there is, or taken from it, down to 0; `quota` is then not looked at. */
  quota_change: z.optional(z.int().check(z.gte(-MOST_QUOTA), z.lte(MOST_QUOTA))),
  ...limitFields,
}

/** A user with what only administrators set. */
const managedUser = z.extend(userView, limitsView)
export type ManagedUser = z.output<typeof managedUser>

export const userActions = ['promote', 'demote', 'disable', 'enable', 'delete'] as const
export type UserAction = (typeof userActions)[number]

export const userAdminEndpoints = {
  listUsers: endpoint({
    method: 'GET',
    path: '/api/user',
    access: 'admin',
    summary: { zh: '所有用户，含已注销', en: 'All users, deleted ones included' },
    query: z.object(pageQuery),
    output: listOf(managedUser),
  }),
  searchUsers: endpoint({
    method: 'GET',
    path: '/api/user/search',
    access: 'admin',
    summary: {
      zh: '按用户名、邮箱、显示名称、ID 与分组查找用户；role 为 user、admin、root，status 为 active、banned、deleted；sort 为 quota、used_quota、request_count，前加 - 为从多到少',
      en: 'Find users by name, e-mail, display name, id and group; role is user, admin or root, status is active, banned or deleted; sort is quota, used_quota or request_count, with - before it the most first',
    },
    query: z.object({ ...pageQuery, keyword, group: keyword, role: keyword, status: keyword, sort: keyword }),
    output: listOf(managedUser),
  }),
  createUser: endpoint({
    method: 'POST',
    path: '/api/user',
    access: 'admin',
    bodyLimit: 8 * 1024,
    summary: { zh: '添加普通用户', en: 'Add an ordinary user' },
    body: z.object({
      username: nameText,
      password,
      display_name: nameText,
      role: z._default(z.number(), 0),
    }),
  }),
  editUser: endpoint({
    method: 'PUT',
    path: '/api/user',
    access: 'admin',
    once: true,
    bodyLimit: 16 * 1024,
    summary: {
      zh: '修改用户的用户名、显示名称、密码、分组、额度与限流；quota_change 在现有额度上增减',
      en: 'Change a user’s name, display name, password, group, quota and limits; quota_change adds to the quota there is',
    },
    body: z.object({ id: z.int(), ...editableFields, role: z._default(z.number(), 0) }),
  }),
  manageUser: endpoint({
    method: 'POST',
    path: '/api/user/manage',
    access: 'admin',
    bodyLimit: 4 * 1024,
    summary: {
      zh: '提升、降级、禁用、启用或注销用户',
      en: 'Promote, demote, disable, enable or delete a user',
    },
    body: z.object({ id: z._default(z.int(), 0), action: z._default(z.string(), '') }),
    output: managedUser,
  }),
  // These two would also answer for the calls that are named under /api/user: they come after all of them.
  getUser: endpoint({
    method: 'GET',
    path: '/api/user/:id',
    access: 'admin',
    summary: { zh: '查看一个用户', en: 'One user' },
    output: managedUser,
  }),
  deleteUser: endpoint({
    method: 'DELETE',
    path: '/api/user/:id',
    access: 'admin',
    summary: { zh: '注销一个用户', en: 'Delete a user' },
  }),
}
