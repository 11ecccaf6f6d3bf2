import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** A team is an account of people who act for it. Nobody logs in as one: of all ranks it has none. */
export const roles = { team: 0, user: 1, admin: 10, root: 100 } as const
export const userStatuses = { active: 1, banned: 2 } as const

/**
 * A user as the owner or an administrator sees it. `password`, `access_token` and `verification_code` are
 * there because old clients read them; they are always blank.
 */
export const userView = z.object({
  id: z.int(),
  username: z.string(),
  password: z.literal(''),
  display_name: z.string(),
  role: z.int(),
  status: z.int(),
  email: z.string(),
  github_id: z.string(),
  wechat_id: z.string(),
  telegram_id: z.string(),
  linux_do_id: z.string(),
  oidc_id: z.string(),
  discord_id: z.string(),
  verification_code: z.literal(''),
  access_token: z.null(),
  quota: z.int(),
  used_quota: z.int(),
  request_count: z.int(),
  group: z.string(),
  aff_code: z.string(),
  aff_count: z.int(),
  aff_quota: z.int(),
  aff_history_quota: z.int(),
  inviter_id: z.int(),
  DeletedAt: z.nullable(z.string()),
})
export type UserView = z.output<typeof userView>

/** The ticket for the second step, and whether a passkey could be that. */
const firstStep = z.object({ require_2fa: z.literal(true), flow_token: z.string(), has_passkey: z.boolean() })
export type FirstStep = z.output<typeof firstStep>

/** The user; or, for one with an authenticator app, that there is a second step. */
export const signedIn = z.union([firstStep, userView])
export type SignedIn = z.output<typeof signedIn>

export const userEndpoints = {
  login: endpoint({
    method: 'POST',
    path: '/api/user/login',
    access: 'public',
    rate: 'critical',
    bodyLimit: 8 * 1024,
    summary: { zh: '用户名或邮箱登录', en: 'Log in with username or e-mail' },
    query: z.object({ turnstile: z.optional(z.string()) }),
    body: z.object({
      username: z._default(z.string().check(z.trim(), z.maxLength(100)), ''),
      password: z._default(z.string().check(z.maxLength(200)), ''),
    }),
    output: signedIn,
  }),
  logout: endpoint({
    method: 'GET',
    path: '/api/user/logout',
    access: 'public',
    changes: true,
    summary: { zh: '退出登录', en: 'Log out' },
  }),
  self: endpoint({
    method: 'GET',
    path: '/api/user/self',
    access: 'user',
    team: 'members',
    summary: { zh: '当前用户', en: 'The logged-in user' },
    output: userView,
  }),
  accessToken: endpoint({
    method: 'GET',
    path: '/api/user/token',
    access: 'user',
    changes: true,
    summary: {
      zh: '生成系统访问令牌（旧令牌立即失效）',
      en: 'Make a system access token (the former one stops working at once)',
    },
    output: z.string(),
  }),
  accessTokenStatus: endpoint({
    method: 'GET',
    path: '/api/user/token/status',
    access: 'user',
    summary: {
      zh: '自己是否有系统访问令牌',
      en: 'Whether you have a system access token',
    },
    output: z.object({ exists: z.boolean() }),
  }),
  revokeAccessToken: endpoint({
    method: 'DELETE',
    path: '/api/user/token',
    access: 'user',
    summary: {
      zh: '吊销系统访问令牌；没有令牌时不做任何事',
      en: 'Revoke the system access token; without one nothing happens',
    },
  }),
}
